/** What columns of surveys are usually called, by what they mean. */
const WORDS = {
  pipes: {
    name: /^(id|nom|name|code|identifiant)$/i,
    from: /^(amont|regard_?am|noeud_?am|from|id_?am)/i,
    to: /^(aval|regard_?av|noeud_?av|to$|id_?av)/i,
    diameter: /^(dn|diam|diametre|diamètre|hauteur)/i,
    width: /^(larg|width)/i,
    shape: /^(forme|shape|section)/i,
    fromInvert: /^(z_?am|z_?rad(ier)?_?am|fe_?am|radier_?am)/i,
    toInvert: /^(z_?av|z_?rad(ier)?_?av|fe_?av|radier_?av)/i,
    fromDepth: /^prof(ondeur)?_?am/i,
    toDepth: /^prof(ondeur)?_?av/i,
    roughness: /^(rugo|manning|n$)/i,
    length: /^(long|length)/i,
  },
  manholes: {
    name: /^(id|nom|name|code|identifiant)$/i,
    rim: /^(tn|z_?tn|cote_?tn|tampon|z_?tampon|rim)/i,
    invert: /^(radier|z_?radier|fe|fil_?eau|invert)/i,
    depth: /^prof/i,
    kind: /^(type|genre|nature|kind)/i,
  },
} as const

type Columns<K extends keyof typeof WORDS> = Partial<Record<keyof (typeof WORDS)[K], string>>

/** The columns of a layer by what their names say; who builds looks them over. */
export function guessColumns<K extends keyof typeof WORDS>(
  of: K,
  columns: readonly { name: string }[],
): Columns<K> {
  const taken = new Set<string>()
  const found: Record<string, string> = {}
  for (const [meaning, word] of Object.entries<RegExp>(WORDS[of])) {
    const column = columns.find(({ name }) => !taken.has(name) && word.test(name))
    if (!column) continue
    taken.add(column.name)
    found[meaning] = column.name
  }
  return found as Columns<K>
}
