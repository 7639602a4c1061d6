import { Modal } from '@mantine/core'
import type { DialogProps } from './Dialog.tsx'
import { useInnermost } from './innermost.ts'
import { useReturnFocus } from './useReturnFocus.ts'

/** Unmounted rather than closed, so that later dialogs also come later in the document. */
export default function OpenedDialog({ attributes, children, ...props }: Omit<DialogProps, 'opened'>) {
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
