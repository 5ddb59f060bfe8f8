import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SewerPeakTable } from '@radx/contracts'
import { OutputMissing } from '../errors.ts'
import { OUTPUT } from '../run/outputs.ts'
import { LINK_HEAD, NODE_HEAD, unquote } from '../run/sewer-results.ts'

/** Figures of a line; the name before them may hold anything. */
const FIGURES = 6

/** @throws OutputMissing when a file is missing or of another version */
export async function readSewerPeaks(dir: string): Promise<SewerPeakTable> {
  const [nodes, links] = await Promise.all([
    table(dir, OUTPUT.sewerNodes, NODE_HEAD),
    table(dir, OUTPUT.sewerLinks, LINK_HEAD),
  ])
  const [depthM, headM, nodeTimeS, inflowM3S, floodedM3, outfallM3] = nodes.columns
  const [flowM3S, linkTimeS, speedMS, filling, volumeM3, surchargedS] = links.columns
  return {
    nodes: { name: nodes.names, depthM, headM, timeS: nodeTimeS, inflowM3S, floodedM3, outfallM3 },
    links: { name: links.names, flowM3S, timeS: linkTimeS, speedMS, filling, volumeM3, surchargedS },
  }
}

async function table(dir: string, file: string, head: string) {
  const text = await readFile(join(dir, file), 'utf8').catch(() => '')
  const [first, ...lines] = text.trimEnd().split('\n')
  if (first !== head) throw new OutputMissing(file)
  const names: string[] = []
  const columns = Array.from({ length: FIGURES }, (): number[] => [])
  for (const line of lines) {
    const parts = line.split(',')
    const figures = parts.slice(-FIGURES).map(Number)
    if (parts.length <= FIGURES || figures.some(Number.isNaN)) throw new OutputMissing(file)
    names.push(unquote(parts.slice(0, -FIGURES).join(',')))
    figures.forEach((figure, k) => {
      columns[k].push(figure)
    })
  }
  return { names, columns }
}
