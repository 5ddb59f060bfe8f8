/** The film's clock: what is told when. Times in seconds of the film, minutes of the simulation. */
export const FPS = 25
export const WIDTH = 1280
export const HEIGHT = 720

export interface Chapter {
  fromS: number
  toS: number
  /** Simulated minutes that pass meanwhile. */
  minutes: [from: number, to: number]
  /** Short title in the picture; none for the opening. */
  title: string
  lead: string
  /** Captions of the film, one after the other over the chapter. */
  captions: string[]
}

export const CHAPTERS: readonly Chapter[] = [
  {
    fromS: 0,
    toS: 5,
    minutes: [12, 14.5],
    title: '',
    lead: '',
    captions: ['Une ville, sa rivière, ses rues : le bassin de démonstration de RadX, entièrement calculé.'],
  },
  {
    fromS: 5,
    toS: 11.5,
    minutes: [14.5, 32],
    title: 'La pluie',
    lead: 'Elle tombe sur chaque cellule de 10 m.',
    captions: [
      'Un orage éclate. La pluie vient du radar ou d’une pluie de projet.',
      'Chaque cellule de 10 m la reçoit : les sols infiltrent, les toits et les rues ruissellent.',
    ],
  },
  {
    fromS: 11.5,
    toS: 19.5,
    minutes: [32, 50],
    title: 'Les rues',
    lead: 'L’eau ruisselle et s’accumule aux points bas.',
    captions: [
      'L’eau suit les rues, contourne les bâtiments et gagne les points bas.',
      'Les avaloirs en prennent une part ; le reste monte.',
    ],
  },
  {
    fromS: 19.5,
    toS: 27,
    minutes: [50, 76],
    title: 'Les égouts',
    lead: 'Sous la ville, le réseau se remplit, déborde, puis se vide.',
    captions: [
      'Dessous, le réseau d’assainissement : ses conduites se remplissent, du bleu au rouge.',
      'Là où elles sont pleines, les regards rendent l’eau à la rue.',
    ],
  },
  {
    fromS: 27,
    toS: 35,
    minutes: [76, 95],
    title: 'Le résultat',
    lead: 'La hauteur d’eau maximale de chaque cellule.',
    captions: [
      'Le résultat : la hauteur d’eau maximale, partout, et le bilan de toute l’eau tombée.',
      'Changez l’occupation des sols, choisissez une pluie, et lancez la vôtre.',
    ],
  },
]

export const DURATION_S = CHAPTERS[CHAPTERS.length - 1].toS
/** A moment that stands for the film before it plays. */
export const POSTER_S = 18.4

export const chapterAt = (timeS: number): Chapter =>
  CHAPTERS.find(({ toS }) => timeS < toS) ?? CHAPTERS[CHAPTERS.length - 1]

/** 0 to 1 through a chapter. */
export const through = ({ fromS, toS }: Chapter, timeS: number): number =>
  Math.min(1, Math.max(0, (timeS - fromS) / (toS - fromS)))

export function minuteAt(timeS: number): number {
  const chapter = chapterAt(timeS)
  const [from, to] = chapter.minutes
  return from + (to - from) * through(chapter, timeS)
}

/** Rises from 0 to 1 between two times, without a jerk. */
export function ease(timeS: number, fromS: number, toS: number): number {
  const x = Math.min(1, Math.max(0, (timeS - fromS) / (toS - fromS)))
  return x * x * x * (x * (6 * x - 15) + 10)
}

/** Caption file of the film. */
export function webVtt(): string {
  const clock = (s: number) => `00:00:${s.toFixed(3).padStart(6, '0')}`
  const cues = CHAPTERS.flatMap(({ fromS, toS, captions }) =>
    captions.map((text, k) => {
      const length = (toS - fromS) / captions.length
      const from = fromS + k * length + 0.2
      return `${clock(from)} --> ${clock(fromS + (k + 1) * length - 0.1)} line:90%\n${text}`
    }),
  )
  return `WEBVTT\n\n${cues.join('\n\n')}\n`
}
