import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useInnermost } from './innermost.ts'
import { useReturnFocus } from './useReturnFocus.ts'

export interface DialogProps extends Omit<ModalProps, 'opened' | 'closeOnEscape' | 'zIndex'> {
  /** true unless told. */
  opened?: boolean
}

/**
 * A dialog, over others too: the later one stands above, Escape closes the innermost, the focus goes back to where it
 * was. What asks and then does is an `ActionDialog`.
 */
export const Dialog = ({ opened = true, ...props }: DialogProps) => (opened ? <Opened {...props} /> : null)

/** Taken away rather than closed, so that what opens later also comes later in the document. */
function Opened({ attributes, children, ...props }: DialogProps) {
  useReturnFocus(props.returnFocus)
  const mark = useInnermost(true, props.onClose)
  return (
    <Modal
      {...props}
      opened
      closeOnEscape={false}
      attributes={{ ...attributes, content: { ...attributes?.content, ...mark } }}
    >
      {children}
      <FocusHeld />
    </Modal>
  )
}

/** When what has the focus goes away or is switched off, the dialog gets it: the keyboard would else begin at the page. */
function FocusHeld() {
  const mark = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const dialog = mark.current?.closest<HTMLElement>('[role="dialog"]')
    if (!dialog) return
    const hold = () => {
      const isLast = [...document.querySelectorAll('[role="dialog"]')].at(-1) === dialog
      // A button that is busy is told by who has made it so where to go on.
      if (document.activeElement === document.body && isLast && !dialog.querySelector('[data-loading]')) dialog.focus()
    }
    const watch = new MutationObserver(() => requestAnimationFrame(hold))
    watch.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled', 'data-loading'] })
    return () => watch.disconnect()
  }, [])
  return <span ref={mark} hidden />
}
