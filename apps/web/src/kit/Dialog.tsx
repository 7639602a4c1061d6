import { Modal, type ModalProps } from '@mantine/core'
import { useInnermost } from './innermost.ts'
import { useReturnFocus } from './useReturnFocus.ts'

export interface DialogProps extends Omit<ModalProps, 'opened' | 'closeOnEscape' | 'zIndex'> {
  /** Default true. */
  opened?: boolean
}

/**
 * A dialog; dialogs may be stacked: the latest is on top, Escape closes the topmost, the focus returns to where it was.
 * For a dialog with an action use `ActionDialog`.
 */
export const Dialog = ({ opened = true, ...props }: DialogProps) => (opened ? <Opened {...props} /> : null)

/** Unmounted rather than closed, so that later dialogs also come later in the document. */
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
    </Modal>
  )
}
