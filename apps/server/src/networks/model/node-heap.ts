/** Nodes by cost; an entry that a cheaper one has overtaken is passed over. */
export class NodeHeap {
  private readonly cost: Float64Array
  private readonly heap: { node: number; cost: number }[] = []

  constructor(cost: Float64Array) {
    this.cost = cost
  }

  push(node: number, cost: number): void {
    const heap = this.heap
    heap.push({ node, cost })
    let k = heap.length - 1
    while (k > 0) {
      const parent = (k - 1) >> 1
      if (heap[parent].cost <= heap[k].cost) break
      ;[heap[k], heap[parent]] = [heap[parent], heap[k]]
      k = parent
    }
  }

  /** -1 when empty. */
  pop(): number {
    const heap = this.heap
    while (heap.length > 0) {
      const top = heap[0]
      const last = heap.pop()
      if (heap.length > 0 && last) {
        heap[0] = last
        let k = 0
        for (;;) {
          let child = 2 * k + 1
          if (child >= heap.length) break
          if (child + 1 < heap.length && heap[child + 1].cost < heap[child].cost) child++
          if (heap[child].cost >= heap[k].cost) break
          ;[heap[k], heap[child]] = [heap[child], heap[k]]
          k = child
        }
      }
      if (top.cost <= this.cost[top.node]) return top.node
    }
    return -1
  }
}
