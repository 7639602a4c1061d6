import { type Scale, type Span, stepAt } from './scale.ts'

/** Drag of the whole item, or of its end. */
export type DragMode = 'move' | 'end'

/** Position of an item. */
export interface Place extends Span {
  /** Index of the column. */
  column: number
}

/** The dragged item: its original position, and the offset of the pointer from its start, in minutes. */
export interface Grabbed {
  mode: DragMode
  at: Place
  grab: number
}

/** Position for a drag to a column and a minute: in whole steps, within the sheet, at least a step long. */
export function dragged({ mode, at, grab }: Grabbed, column: number, minute: number, scale: Scale): Place {
  if (mode === 'end') {
    const to = stepAt(scale, minute + scale.step / 2)
    return { ...at, to: Math.min(scale.to, Math.max(at.from + scale.step, to)) }
  }
  const long = at.to - at.from
  // The start keeps its offset from the step: a visit at 10:05 moves by steps from there.
  const rest = at.from - stepAt(scale, at.from)
  const wanted = stepAt(scale, minute - grab - rest + scale.step / 2) + rest
  const from = Math.max(scale.from, Math.min(scale.to - long, wanted))
  return { column, from, to: from + long }
}

/** The same by keys: arrows move by a step or a column, with Shift the end. Other keys: undefined. */
export function nudged(place: Place, key: string, shift: boolean, columns: number, scale: Scale): Place | undefined {
  const { column, from, to } = place
  const way = { ArrowUp: -scale.step, ArrowDown: scale.step }[key]
  if (way !== undefined) {
    if (shift) return { column, from, to: Math.min(scale.to, Math.max(from + scale.step, to + way)) }
    if (from + way < scale.from || to + way > scale.to) return place
    return { column, from: from + way, to: to + way }
  }
  const side = { ArrowLeft: -1, ArrowRight: 1 }[key]
  if (side === undefined || shift) return undefined
  return { column: Math.min(columns - 1, Math.max(0, column + side)), from, to }
}

export const samePlace = (a: Place, b: Place): boolean => a.column === b.column && a.from === b.from && a.to === b.to
