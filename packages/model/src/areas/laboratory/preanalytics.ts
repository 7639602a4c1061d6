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
}

/** Tubes in the order of draw. A line that needs several tubes refers to the first one. */
export function tubesOf(lines: readonly TubeLine[], kinds: ReadonlyMap<number, TubeKind>): Tube[] {
  const groups = Map.groupBy(lines, (line) =>
    [line.idLaboratory, line.biomaterial, line.idContainer, line.tempMode].join('|'),
  )
  const tubes: Tube[] = []
  for (const group of groups.values()) {
    const first = group[0] as TubeLine
    const usable = kinds.get(first.idContainer ?? 0)?.usable || Number.POSITIVE_INFINITY
    // Hundredths of a millilitre, so that ten tests of 0.2 ml make exactly 2 ml.
    const total = group.reduce((sum, { volume }) => sum + Math.round(volume * 100), 0)
    const count = Math.max(1, Number.isFinite(usable) ? Math.ceil(total / Math.round(usable * 100)) : 1)
    const own: Tube[] = Array.from({ length: count }, () => ({
      idLaboratory: first.idLaboratory,
      biomaterial: first.biomaterial,
      idContainer: first.idContainer,
      tempMode: first.tempMode,
      lines: [],
      volume: 0,
    }))
    let poured = 0
    for (const { id, volume } of group) {
      const at = Number.isFinite(usable) ? Math.min(count - 1, Math.floor(poured / Math.round(usable * 100))) : 0
      const tube = own[at] as Tube
      tube.lines.push(id)
      tube.volume = Math.round((tube.volume + volume) * 100) / 100
      poured += Math.round(volume * 100)
    }
    tubes.push(...own)
  }
  const orderOf = ({ idContainer }: Tube) => kinds.get(idContainer ?? 0)?.order ?? 99
  return tubes.toSorted((a, b) => orderOf(a) - orderOf(b))
}
