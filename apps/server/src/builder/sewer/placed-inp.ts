import type { SewerNetwork } from '@radx/contracts/sewer'
import { splitInp } from '@radx/formats/inp/lines'
import { readInp } from '@radx/formats/inp/read'
import { withSection, writeInp } from '@radx/formats/inp/write'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Context } from '../context.ts'
import { SourceRefused } from '../findings.ts'
import { boxAround, boxOf, cellAt, type Place } from '../grid.ts'
import { crsOf, moverOf } from '../sources/crs.ts'

/** Sections whose second and third words are a place. */
const PLACED = ['COORDINATES', 'VERTICES', 'POLYGONS'] as const

/** Reads an `.inp` and puts its places into the recipe's system. The rest stays as it is, comments too. @throws SourceRefused, FormatError */
export async function placedInp(
  { folder, crs, findings }: Context,
  file: string,
  own: string | undefined,
  shift: Place | undefined,
): Promise<string> {
  const text = await folder.text(file)
  const document = splitInp(text, file)
  const places = document.sections
    .filter(({ name }) => name === 'COORDINATES')
    .flatMap(({ lines }) => lines.map(({ words }): Place => [Number(words[1]), Number(words[2])]))
    .filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
  if (places.length === 0)
    throw new SourceRefused(
      `${file} n’a pas de [COORDINATES] : le réseau ne peut être placé. Exportez-le avec les positions de ses nœuds.`,
    )
  const [dx, dy] = shift ?? [0, 0]
  const mover = own === undefined ? null : moverOf(crsOf(own), crs, places.slice(0, 3))
  if (mover === null && dx === 0 && dy === 0) return text
  const move = (x: number, y: number): Place => {
    const moved: Place = [x + dx, y + dy]
    return mover === null ? moved : mover(moved)
  }
  findings.tell(
    'sewer',
    'moved',
    mover === null
      ? `${file} : positions décalées de (${dx} ; ${dy}).`
      : `${file} : positions portées de ${own} en ${crs.name}.`,
  )
  return writeInp(
    PLACED.reduce((made, name) => {
      const section = made.sections.find((known) => known.name === name)
      if (section === undefined) return made
      const rows = section.lines.map(({ words, number }) => {
        const [x, y] = move(Number(words[1]), Number(words[2]))
        if (!Number.isFinite(x) || !Number.isFinite(y))
          throw new SourceRefused(
            `${file}, ligne ${number} : la position de « ${words[0]} » est illisible ou n’est aucun lieu en ${own ?? crs.name}.`,
          )
        return [words[0], Number(x.toFixed(4)), Number(y.toFixed(4))]
      })
      return withSection(made, name, rows)
    }, document),
  )
}

/** What keeps a network from lying on the grid, in words; null where some of it does. */
export function notOnGrid(
  network: SewerNetwork,
  { frame, crs }: Context,
  file: string,
  local: boolean,
): string | null {
  const places = network.nodes.flatMap(({ x, y }): Place[] =>
    x === undefined || y === undefined ? [] : [[x, y]],
  )
  if (places.some((place) => cellAt(frame, place) >= 0)) return null
  const [west, south, east, north] = boxAround(places) ?? [0, 0, 0, 0]
  const [gridWest, gridSouth, gridEast, gridNorth] = boxOf(frame)
  const box = (values: number[]) => `(${values.map((value) => formatNumberFr(value, 1, true)).join(' ; ')})`
  const where = `il couvre ${box([west, south, east, north])}, la grille ${box([gridWest, gridSouth, gridEast, gridNorth])} en ${crs.name}`
  const fits = east - west <= gridEast - gridWest && north - south <= gridNorth - gridSouth
  // Coordinates of a drawing begin near 0, those of a plane of a country do not.
  const drawn = Math.abs(west) < 50_000 && Math.abs(south) < 50_000
  if (local && fits && drawn)
    return `${file} : le réseau est en coordonnées locales : ${where}. Donnez par "shift" ce qu’il faut ajouter à x et à y (la grille commence en [${gridWest}, ${gridSouth}]), ou par "crs" le système du fichier.`
  return `${file} : le réseau est hors de la grille : ${where}. Vérifiez le système de coordonnées du réseau ("crs") et le contour.`
}

/** @throws FormatError, with advice on decimal commas where they are the reason */
export function readNetwork(text: string, file: string): SewerNetwork {
  try {
    return readInp(text, { file }).network
  } catch (error) {
    const comma = /«\s*[-+]?\d+,\d+\s*»/.test((error as Error).message)
    if (!comma) throw error
    throw new SourceRefused(
      `${(error as Error).message} Les nombres d’un .inp ont un point décimal : réexportez-le avec des points, ou remplacez les virgules.`,
    )
  }
}
