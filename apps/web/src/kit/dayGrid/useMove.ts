import { useState } from 'react'
import { type Place, samePlace } from './drag.ts'
import type { DayGridProps, GridItem } from './grid.ts'
import { spanText } from './scale.ts'

/** The item being moved, and where it would be placed. */
export interface Ghost {
  id: number
  place: Place
  byKeys: boolean
}

export type Move<I extends GridItem> = ReturnType<typeof useMove<I>>

/**
 * The move of an item by pointer or keys: its ghost, and the drop.
 * @param index the index of a column by its key
 */
export function useMove<I extends GridItem>(
  { items, columns, onMove, refuses }: DayGridProps<I>,
  index: ReadonlyMap<string, number>,
) {
  const [ghost, setGhost] = useState<Ghost>()
  const placeOf = ({ column, from, to }: I): Place => ({ column: index.get(column) ?? 0, from, to })
  const drop = (id: number, place: Place) => {
    const item = items.find((one) => one.id === id)
    const column = columns[place.column]
    setGhost(undefined)
    if (!item || !column) return
    if (!samePlace(place, placeOf(item))) onMove?.(id, { column: column.key, from: place.from, to: place.to })
  }
  const refusal = (id: number, { column, from, to }: Place) =>
    refuses?.(id, { column: columns[column]?.key ?? '', from, to })
  /** Text for a screen reader. */
  const describe = (id: number, place: Place) =>
    [columns[place.column]?.name ?? '', spanText(place), refusal(id, place)].filter(Boolean).join(', ')
  return { ghost, setGhost, placeOf, drop, refusal, describe }
}
