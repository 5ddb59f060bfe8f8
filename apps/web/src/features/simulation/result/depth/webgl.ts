/** Whether this browser can draw in 3D; asked once, on a canvas that is thrown away. */
export function hasWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
