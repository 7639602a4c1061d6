import { useEffect, useMemo, useRef, useState } from 'react'
import { BoardController, type BoardRules } from '#kit/board/controller.ts'
import type { BoardItem } from '#kit/board/pages.ts'
import type { CardStore } from './cardStore.ts'

/**
 * The controller of a board with a card store. Server updates of a dragged card are postponed, and the card that was open
 * (`opened`) gets the focus back.
 */
export function useBoardController<C extends BoardItem>(
  given: BoardRules,
  store: CardStore<C>,
  opened: number | undefined,
  family?: symbol,
): { controller: BoardController; rules: BoardRules } {
  const opener = useRef<number | null>(null)
  const rules = useMemo(
    (): BoardRules => ({
      ...given,
      open: (id) => {
        opener.current = id
        given.open(id)
      },
    }),
    [given],
  )
  const [controller] = useState(() => new BoardController(rules, family))
  controller.rules = rules
  useEffect(
    () =>
      controller.subscribe(() => {
        store.held = controller.picked?.id ?? null
      }),
    [controller, store],
  )
  useEffect(() => {
    if (opened !== undefined || opener.current === null) return
    controller.focus(opener.current)
    opener.current = null
  }, [opened, controller])
  return { controller, rules }
}
