import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'

/** Next to which row, or at which end. */
export interface SortPlace {
  before?: number
  after?: number
  at?: 'first' | 'last'
}

interface Options {
  /** Only rows of the same kind can be reordered together. */
  kind: string
  id: number
  disabled?: boolean
  /** The list runs from left to right, line by line, instead of downwards. */
  across?: boolean
  /** The drag handle, when it is not the whole row. */
  handle?: RefObject<HTMLElement | null>
  /** The dropped row and its place. */
  onPut: (id: number, place: SortPlace) => void
}

/** A row that can be dragged within its list, or into another list of the same kind. */
export function useSortable<T extends HTMLElement>({
  kind,
  id,
  disabled = false,
  across = false,
  handle,
  onPut,
}: Options) {
  const ref = useRef<T>(null)
  const [edge, setEdge] = useState<Edge | null>(null)
  const [dragging, setDragging] = useState(false)
  const put = useRef(onPut)
  put.current = onPut
  useEffect(() => {
    const element = ref.current
    if (!element || disabled) return
    const data = { sortable: kind, id }
    return combine(
      draggable({
        element,
        ...(handle?.current ? { dragHandle: handle.current } : {}),
        getInitialData: () => data,
        onDragStart: () => setDragging(true),
        onDrop: () => setDragging(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.sortable === kind,
        getIsSticky: () => true,
        getData: ({ input }) =>
          attachClosestEdge(
            { ...data },
            { element, input, allowedEdges: across ? ['left', 'right'] : ['top', 'bottom'] },
          ),
        onDrag: ({ source, self }) => setEdge(source.data.id === id ? null : extractClosestEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: ({ source, self }) => {
          setEdge(null)
          const moved = source.data.id as number
          if (moved === id) return
          put.current(
            moved,
            ['top', 'left'].includes(extractClosestEdge(self.data) ?? '') ? { before: id } : { after: id },
          )
        },
      }),
    )
  }, [kind, id, disabled, across, handle])
  return { ref, edge, dragging }
}

/** The drop target at the end of a list; the only one of an empty list. */
export function useSortableEnd<T extends HTMLElement>(kind: string, onPut: (id: number) => void, disabled = false) {
  const ref = useRef<T>(null)
  const [over, setOver] = useState(false)
  const put = useRef(onPut)
  put.current = onPut
  useEffect(() => {
    const element = ref.current
    if (!element || disabled) return
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data.sortable === kind,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        put.current(source.data.id as number)
      },
    })
  }, [kind, disabled])
  return { ref, over }
}

/** The place one step up or down; undefined at the end. */
export function stepPlace(
  rows: readonly { id: number }[],
  id: number,
  step: 'up' | 'down',
): { before: number } | { after: number } | undefined {
  const at = rows.findIndex((row) => row.id === id)
  const other = at < 0 ? undefined : rows[step === 'up' ? at - 1 : at + 1]?.id
  if (other === undefined) return undefined
  return step === 'up' ? { before: other } : { after: other }
}

/**
 * Ctrl+Shift+↑ and ↓ on a row move it, as on a board; the focus stays.
 * @param across in a list that runs from left to right: ← and →
 */
export function onSortKeys(move: (step: 'up' | 'down') => void, across = false) {
  const [back, on] = across ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown']
  return (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === back ? 'up' : event.key === on ? 'down' : undefined
    if (!step || !event.shiftKey || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    move(step)
  }
}
