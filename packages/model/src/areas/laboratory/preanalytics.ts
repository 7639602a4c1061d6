/**
 * Tubes of an order (screens.md §8): lines of one laboratory, material, container and temperature share a tube up to
 * its volume. Tubes are sorted by the order of draw. Pure.
 */

export interface TubeLine {
  id: number
  idLaboratory: number | null
  biomaterial: string
  idContainer: number | null
  tempMode: string
  /** Millilitres of material needed by the test. */
  volume: number
}

export interface TubeKind {
  /** Usable millilitres of a full tube: a gel tube yields less serum than blood. */
  usable: number
  /** Position in the order of draw, from 1; null: not a blood tube. */
  order: number | null
}

export interface Tube extends Omit<TubeLine, 'id' | 'volume'> {
  lines: number[]
  volume: number
  /** Further tubes of one test that does not fit into one: 1 for the second. */
  part: number
}

/** Hundredths of a millilitre, so that ten tests of 0.2 ml make exactly 2 ml. */
const hundredths = (millilitres: number): number => Math.round(millilitres * 100)

/**
 * Tubes in the order of draw: as many as the volume needs, none over its usable volume. A test that needs more than one
 * tube has tubes of its own, full but for the last; the others go each to the first tube with enough room.
 */
export function tubesOf(lines: readonly TubeLine[], kinds: ReadonlyMap<number, TubeKind>): Tube[] {
  const groups = Map.groupBy(lines, (line) =>
    [line.idLaboratory, line.biomaterial, line.idContainer, line.tempMode].join('|'),
  )
  const tubes: Tube[] = []
  for (const group of groups.values()) {
    const { idLaboratory, biomaterial, idContainer, tempMode } = group[0] as TubeLine
    const usable = hundredths(kinds.get(idContainer ?? 0)?.usable || 0) || Number.POSITIVE_INFINITY
    const shared: { lines: number[]; poured: number }[] = []
    const made = (own: readonly number[], poured: number, part: number): Tube => ({
      ...{ idLaboratory, biomaterial, idContainer, tempMode },
      lines: [...own],
      volume: poured / 100,
      part,
    })
    const large: Tube[] = []
    for (const { id, volume } of group) {
      const needs = hundredths(volume)
      if (needs > usable) {
        const count = Math.ceil(needs / usable)
        for (let part = 0; part < count; part++) large.push(made([id], Math.min(usable, needs - part * usable), part))
        continue
      }
      const roomy = shared.find(({ poured }) => poured + needs <= usable)
      if (roomy) {
        roomy.lines.push(id)
        roomy.poured += needs
      } else shared.push({ lines: [id], poured: needs })
    }
    tubes.push(...shared.map(({ lines: own, poured }) => made(own, poured, 0)), ...large)
  }
  const orderOf = ({ idContainer }: Tube) => kinds.get(idContainer ?? 0)?.order ?? 99
  return tubes.toSorted((a, b) => orderOf(a) - orderOf(b))
}
