/** Messages between the page and the worker that reads class bundles. */
export type FramesRequest =
  | { kind: 'load'; id: number; url: string; token: string | null }
  | { kind: 'cancel'; id: number }

export interface PackedFrame {
  time: string
  packed: Uint8Array<ArrayBuffer>
}

export type FramesReply =
  | { kind: 'frames'; id: number; steps: number; frames: PackedFrame[] }
  | { kind: 'done'; id: number }
  | { kind: 'error'; id: number; status: number | null; message: string }
