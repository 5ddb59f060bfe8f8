import { describe, expect, test } from 'vitest'
import { expectRefusal, inp, read } from '../testing/inp-text.ts'
import { readInp } from './read.ts'

describe('a network that water can leave', () => {
  test('needs nodes and an outfall', () => {
    expectRefusal('[OPTIONS]\nEND_TIME 1:00', 'noNode', 1, 'aucun nœud', '[OUTFALLS]')
    const closed = inp({ OUTFALLS: '', JUNCTIONS: 'J1 10 2\nJ2 9 2\nO1 8 2' })
    expectRefusal(closed, 'noOutfall', 'J1 10', 'aucun exutoire', '[OUTFALLS]')
  })
  test('lets it go at open ends where no dynamic wave is asked for', () => {
    const ends = { OUTFALLS: '', JUNCTIONS: 'J1 10 2\nJ2 9 2\nO1 8 2', '+OPTIONS': 'FLOW_ROUTING KINWAVE' }
    const { network, warnings } = read(ends)
    expect(network.nodes.map(({ kind }) => kind)).toEqual(['junction', 'junction', 'outfall'])
    expect(warnings.join()).toMatch(/aucun exutoire : l'eau sort par 1 nœud.s. dont rien ne part .O1./)
  })
  test('is not needed by catchments alone', () => {
    const { network } = readInp('[OPTIONS]\nEND_TIME 1:00\n[SUBCATCHMENTS]\nS1 R S1 1 50 10 1 0\n')
    expect(network.nodes).toEqual([])
  })
  test('links every node to an outfall, whichever way its pipes point', () => {
    const sections = {
      JUNCTIONS: 'J1 10 2\nJ2 9 2\nJ3 9 2\nJ4 9 2',
      CONDUITS: 'C1 J1 J2 40 0.013\nC2 O1 J2 60 0.013\nC3 J3 J1 9 0.013\nC4 J3 J4 9 0.013',
      XSECTIONS: 'C1 CIRCULAR 1\nC2 CIRCULAR 1\nC3 CIRCULAR 1\nC4 CIRCULAR 1',
    }
    expect(read(sections).network.links).toHaveLength(4)
    // Several outfalls, each with its own part, and loops.
    expect(
      read({
        ...sections,
        OUTFALLS: 'O1 8 FREE\nO2 8 FREE',
        CONDUITS:
          'C1 J1 J2 40 0.013\nC2 O1 J2 60 0.013\nC3 J3 O2 9 0.013\nC4 J3 J4 9 0.013\nC5 J2 J1 9 0.013',
        '+XSECTIONS': 'C1 CIRCULAR 1\nC2 CIRCULAR 1\nC3 CIRCULAR 1\nC4 CIRCULAR 1\nC5 CIRCULAR 1',
      }).network.links,
    ).toHaveLength(5)
  })
  test('may have nodes alone, with a warning', () => {
    expect(read({ '+JUNCTIONS': 'J3 9 2' }).warnings).toEqual([
      "essai.inp, ligne 7 : 1 nœud(s) sans aucun lien : J3. L'eau qui y entre y reste ou déborde.",
    ])
  })
  test('may have islands, whose first nodes are named', () => {
    const { warnings, network } = read({
      '+JUNCTIONS': 'J3 9 2\nJ4 9 2\nJ5 9 2',
      '+CONDUITS': 'C3 J4 J3 9 0.013\nC4 J5 J4 9 0.013',
      '+XSECTIONS': 'C3 CIRCULAR 1\nC4 CIRCULAR 1',
    })
    expect(network.nodes).toHaveLength(6)
    expect(warnings).toEqual([
      "essai.inp, ligne 7 : 3 nœud(s) sur un îlot, d'où aucun chemin ne mène à un exutoire : J3, J4, J5. L'eau qui y entre y reste ou déborde.",
    ])
  })
  test('has one link an outfall, by the line of the second', () => {
    for (const ends of ['J1 O1', 'O1 J1']) {
      const text = inp({ '+CONDUITS': `C3 ${ends} 9 0.013`, '+XSECTIONS': 'C3 CIRCULAR 1' })
      expectRefusal(text, 'outfallLinks', `C3 ${ends}`, '« O1 »', "plus d'un lien", 'un regard avant lui')
    }
    const pump = inp({ PUMPS: 'P1 J1 O1 *' })
    expectRefusal(pump, 'outfallLinks', 'P1', '« O1 »')
  })
})
