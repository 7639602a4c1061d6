import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { usePeople } from './people.ts'
import { TIP_DELAY_MS, TIP_WIDTH } from './UserLink.tsx'

const FACE = '[data-person]'

/**
 * Tooltips of avatars where no link is possible: in a button, a chip, on a card of a board. One tooltip for all of them,
 * however many a page has; an avatar has the person's id in `data-person`. On focus it shows the only avatar of a button.
 */
export function PersonTips() {
  const way = usePeople().ways.users
  const [shown, setShown] = useState<{ at: HTMLElement; id: number }>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let near: Element | null = null
    const look = (face: Element | null) => {
      if (face === near) return
      near = face
      clearTimeout(timer)
      setShown(undefined)
      const id = Number(face?.getAttribute('data-person'))
      // A link has its own tooltip.
      if (!(face instanceof HTMLElement) || !id || face.closest('a')) return
      timer = setTimeout(() => setShown({ at: face, id }), TIP_DELAY_MS)
    }
    const onOver = (event: Event) => look(event.target instanceof Element ? event.target.closest(FACE) : null)
    const onFocus = (event: Event) => {
      const button = event.target instanceof Element ? event.target.closest('button, [role="button"]') : null
      const faces = button?.querySelectorAll(FACE)
      look(faces?.length === 1 && button?.matches(':focus-visible') ? (faces[0] ?? null) : null)
    }
    const away = () => look(null)
    // Escape closes the tooltip, as well as whatever else it closes.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') away()
    }
    document.addEventListener('pointerover', onOver)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', away)
    document.addEventListener('keydown', onKey)
    document.addEventListener('scroll', away, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', away)
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('scroll', away, true)
    }
  }, [])
  if (!way || !shown?.at.isConnected) return null
  return (
    <Tooltip key={shown.id} opened multiline maw={TIP_WIDTH} target={shown.at} label={<way.Facts id={shown.id} />} />
  )
}
