import type { ModalProps } from '@mantine/core'
import { part } from './chunk.ts'

export interface DialogProps extends Omit<ModalProps, 'opened' | 'closeOnEscape' | 'zIndex'> {
  /** Default true. */
  opened?: boolean
}

/** Loaded with the user's first movement or key (`Root`), before a dialog is opened. */
export const OpenedDialog = part(() => import('./OpenedDialog.tsx'))

/**
 * A dialog; dialogs may be stacked: the latest is on top, Escape closes the topmost, the focus returns to where it was.
 * For a dialog with an action use `ActionDialog`.
 */
export const Dialog = ({ opened = true, ...props }: DialogProps) => (opened ? <OpenedDialog {...props} /> : null)
