"""The renderer's programs in GLSL: one vertex stage for all, light for things and felt, shadow maps, object ids.

Shadow maps are height fields over the plan: a point is moved along its ray of light down to the felt, and the highest
point that lands on a spot is kept there. So a map's coordinates are millimetres of the plan, and what lies flat on the
felt never shades itself.
"""

_INPUT = """
#version 330
in vec3 in_pos; in vec3 in_normal; in vec2 in_uv; in float in_side;
in vec4 row0; in vec4 row1; in vec4 row2;   // the piece's matrix
in vec4 tint;                               // b, g, r, gloss
in vec4 extra;                              // layer of its face, of its other side, bend (mm), id

vec3 bent() { float t = in_pos.y / 44.5; return in_pos + vec3(0.0, 0.0, extra.z * t * t); }
vec3 world(vec3 p) { vec4 q = vec4(p, 1.0); return vec3(dot(row0, q), dot(row1, q), dot(row2, q)); }
"""

_LENS = """
uniform vec3 eye; uniform mat3 axes; uniform vec2 focal; uniform vec3 lens;  // k1, k2, r2 where it is held
vec4 seen(vec3 p) {
    vec3 c = axes * (p - eye);
    vec2 n = c.xy / c.z;
    float r2 = min(dot(n, n), lens.z);
    n *= 1.0 + lens.x * r2 + lens.y * r2 * r2;
    const float near = 250.0, far = 9000.0;
    return vec4(n * focal * c.z, (far + near) / (far - near) * c.z - 2.0 * far * near / (far - near), c.z);
}
"""

DRAW_VERTEX = (
    _INPUT
    + _LENS
    + """
out vec3 at; out vec3 own; out vec3 normal; out vec3 uvl; flat out vec4 paint;
void main() {
    own = in_pos;
    vec3 n = in_normal;
    if (extra.z != 0.0) n = normalize(n - vec3(0.0, sign(n.z) * extra.z * 2.0 * in_pos.y / 1980.0, 0.0));
    at = world(bent());
    vec3 c0 = normalize(vec3(row0.x, row1.x, row2.x));
    vec3 c1 = normalize(vec3(row0.y, row1.y, row2.y));
    vec3 c2 = normalize(vec3(row0.z, row1.z, row2.z));
    normal = c0 * n.x + c1 * n.y + c2 * n.z;
    uvl = vec3(in_uv, in_side < 0.5 ? extra.x : extra.y);
    paint = tint;
    gl_Position = seen(at);
}
"""
)

ID_VERTEX = (
    _INPUT
    + _LENS
    + """
flat out int id;
void main() { id = int(extra.w); gl_Position = seen(world(bent())); }
"""
)
ID_FRAGMENT = """
#version 330
flat in int id; out int pixel;
void main() { pixel = id; }
"""

SHADOW_VERTEX = (
    _INPUT
    + """
uniform vec2 slant; uniform vec4 span; uniform vec2 heights;
void main() {
    vec3 p = world(bent());
    vec2 spot = p.xy + slant * p.z;
    float rank = 1.0 - (p.z - heights.x) / (heights.y - heights.x);
    gl_Position = vec4((spot - span.xy) / span.zw * 2.0 - 1.0, rank * 2.0 - 1.0, 1.0);
}
"""
)
SHADOW_FRAGMENT = """
#version 330
void main() {}
"""

_CURVE = """
uniform vec3 gain;
vec3 shown(vec3 c) {                        // the camera's curve with its veil of stray light, then gamma 2
    c = c * gain + 0.003;
    c = 1.40 * c * (c + 0.18) / (c * (c + 0.85) + 0.19);
    c = mix(vec3(dot(c, vec3(0.11, 0.59, 0.30))), c, 0.9);
    return sqrt(clamp(c, 0.0, 1.0));
}
"""

_LIGHT = (
    _CURVE
    + """
uniform vec3 lamp; uniform vec3 lamp_colour; uniform vec3 room; uniform vec3 view; uniform float lamp_width;
uniform vec2 slant; uniform vec4 span; uniform vec2 heights;
uniform sampler2D key_raw; uniform sampler2DShadow key_map; uniform sampler2DShadow sky_map;

const vec2 RING[8] = vec2[](vec2(0.93, 0.28), vec2(0.42, 0.86), vec2(-0.31, 0.61), vec2(-0.90, 0.38),
    vec2(-0.62, -0.29), vec2(-0.25, -0.93), vec2(0.33, -0.49), vec2(0.86, -0.55));

float rank(float z) { return 1.0 - (z - heights.x) / (heights.y - heights.x); }

float lit(vec3 p, vec3 n) {
    if (p.z < -30.0) return 0.7;            // below the felt there are no maps
    vec3 q = p + vec3(n.xy * 1.6, 0.12 + 9.0 * (1.0 - n.z));   // slopes must not shade themselves
    vec2 spot = (q.xy + slant * q.z - span.xy) / span.zw;
    float here = rank(q.z), reach = (heights.y - heights.x);
    float blocked = 0.0, above = 0.0;
    for (int i = 0; i < 8; i += 2) {
        float stored = textureLod(key_raw, spot + RING[i] * 14.0 / span.zw, 0.0).r;
        if (stored < here) { blocked += 1.0; above += (here - stored) * reach; }
    }
    float stored = textureLod(key_raw, spot, 0.0).r;
    if (stored < here) { blocked += 1.0; above += (here - stored) * reach; }
    if (blocked == 0.0) return 1.0;
    float radius = clamp(above / blocked * lamp_width / lamp.z * 0.5, 0.9, 14.0);
    float sum = 0.0;
    for (int i = 0; i < 8; i++) sum += texture(key_map, vec3(spot + RING[i] * radius / span.zw, here));
    return sum / 8.0;
}

float open_sky(vec3 p, vec3 n) {
    if (p.z < -30.0) return 0.6;
    vec3 q = p + vec3(n.xy * 3.0, 0.25 + 9.0 * (1.0 - n.z));
    vec2 spot = (q.xy - span.xy) / span.zw;
    float here = rank(q.z), sum = 0.0;
    for (int i = 0; i < 8; i++)
        sum += texture(sky_map, vec3(spot + RING[i] * (i % 2 == 0 ? 17.0 : 7.0) / span.zw, here));
    return sum / 8.0;
}

vec3 shaded(vec3 albedo, vec3 p, vec3 n, float gloss) {
    vec3 to_lamp = lamp - p;
    float away = length(to_lamp);
    to_lamp /= away;
    vec3 to_eye = normalize(view - p);
    if (dot(n, to_eye) < 0.0) n = -n;
    float shine = lit(p, n);
    float sky = 0.45 + 0.55 * open_sky(p, n);
    float facing = max(dot(n, to_lamp), 0.0);
    float fall = 1.12 * lamp.z * lamp.z / (away * away) * to_lamp.z;   // a panel in the ceiling shines downwards most
    vec3 light = lamp_colour * (facing * fall * shine) + room * sky * (0.62 + 0.38 * n.z);
    vec3 half_way = normalize(to_lamp + to_eye);
    float sharp = exp2(3.5 + 7.0 * gloss);
    float fresnel = 0.04 + 0.5 * pow(1.0 - max(dot(n, to_eye), 0.0), 5.0);
    float spark = pow(max(dot(n, half_way), 0.0), sharp) * (sharp + 8.0) * 0.006 * shine * fall;
    vec3 mirror = lamp_colour * spark * gloss + room * fresnel * gloss * sky * max(reflect(-to_eye, n).z, 0.0);
    return albedo * light + mirror;
}
"""
)

THING_FRAGMENT = (
    """
#version 330
in vec3 at; in vec3 normal; in vec3 uvl; flat in vec4 paint; out vec4 pixel;
uniform sampler2DArray sheet;
"""
    + _LIGHT
    + """
void main() {
    vec3 ink = texture(sheet, uvl, -0.4).rgb;           // a slanted card would be blurred by its mipmap
    vec3 tone = paint.rgb;
    pixel = vec4(shown(shaded(ink * ink * tone * tone, at, normalize(normal), paint.a)), 1.0);
}
"""
)

SKIN_FRAGMENT = (
    """
#version 330
in vec3 at; in vec3 own; in vec3 normal; in vec3 uvl; flat in vec4 paint; out vec4 pixel;
uniform sampler2DArray sheet;
"""
    + _LIGHT
    + """
float blotch(vec3 p) { return sin(p.x + 1.7 * sin(p.y * 0.8)) * sin(p.y + 1.3 * sin(p.z + p.x * 0.6)); }
void main() {                               // u tells how open the spot is to the sky: creases are darker and redder
    vec3 tone = paint.rgb * paint.rgb;      // b, g, r
    float open = clamp(uvl.x, 0.0, 1.0);
    tone *= mix(vec3(0.44, 0.46, 0.60), vec3(0.80, 0.82, 0.86), open);
    tone *= 1.0 + vec3(-0.10, -0.07, 0.02) * blotch(own / 13.0) + 0.05 * blotch(own / 3.1);
    float fold = 1.0 - smoothstep(0.0, 0.5, uvl.y);                             // over the joints, in fine lines
    tone *= 1.0 - fold * (vec3(0.24, 0.20, 0.07) + 0.13 * sin(uvl.y * 40.0));
    float nail = smoothstep(0.60, 0.68, uvl.y), rim = smoothstep(0.54, 0.60, uvl.y) * (1.0 - nail);
    tone *= 1.0 - 0.30 * rim;
    tone = mix(tone, tone * vec3(1.05, 0.98, 1.02) + vec3(0.055, 0.05, 0.06), nail);
    pixel = vec4(shown(shaded(tone, at, normalize(normal), paint.a + 0.5 * nail)), 1.0);
}
"""
)

FELT_FRAGMENT = (
    """
#version 330
in vec3 at; in vec3 normal; in vec3 uvl; flat in vec4 paint; out vec4 pixel;
uniform sampler2D print; uniform sampler2D weave;
"""
    + _LIGHT
    + """
void main() {
    vec4 ink = texture(print, uvl.xy);
    if (ink.a < 0.5) discard;
    float thread = texture(weave, at.xy / 46.0).r + 0.6 * texture(weave, at.yx / 171.0).r - 0.8;
    vec3 albedo = ink.rgb * ink.rgb * (1.0 + 0.75 * thread);
    vec3 bump = normalize(vec3(0.10 * thread, 0.07 * thread, 1.0));
    pixel = vec4(shown(shaded(albedo, at, bump, 0.03)), 1.0);
}
"""
)

FLOOR_FRAGMENT = (
    """
#version 330
in vec3 at; in vec3 normal; in vec3 uvl; flat in vec4 paint; out vec4 pixel;
uniform sampler2D print; uniform vec3 room; uniform vec4 span;
"""
    + _CURVE
    + """
void main() {                               // below the table it is darker
    vec3 ink = texture(print, at.xy / 900.0).rgb;
    vec2 off = abs(at.xy - span.xy - span.zw * 0.5) / (span.zw * 0.5);
    float dim = mix(0.35, 1.0, smoothstep(0.7, 1.5, max(off.x, off.y)));
    pixel = vec4(shown(ink * ink * room * 1.5 * dim), 1.0);
}
"""
)
