import { Modal, type ModalProps } from '@mantine/core'
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
    </Modal>
  )
}
