/**
 * A linked program of two shaders. @param name of what it draws, for the message
 * @throws when the context is lost before a shader is made, or the shaders do not link
 */
export function shaderProgram(
  gl: WebGL2RenderingContext,
  name: string,
  vertex: string,
  fragment: string,
): WebGLProgram {
  const program = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type)
    if (shader === null) throw new Error('the graphics context is lost')
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
    gl.deleteShader(shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`${name} shader: ${gl.getProgramInfoLog(program)}`)
  return program
}
