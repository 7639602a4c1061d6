import { Button, Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { failureWords } from '#kit/failureWords.ts'
import classes from '#kit/openCard.module.css'
import { StatePage } from '#kit/StatePage.tsx'

interface Props {
  /** Accessible name of the dialog. */
  label: string
  size: number
  pending: boolean
  /** The open card; absent: the reason is shown. */
  children: ReactNode
  missing: MissingProps
}

interface MissingProps {
  error: Error | null
  icon: TablerIcon
  refused: string
  gone: { title: string; text: string }
  failed: string
  /** Label of the link back to the board. */
  back: string
  onRetry: () => void
  onClose: () => void
}

/** A card dialog over its board: loading, missing, and the card itself. */
export function CardDialogFrame({ label, size, pending, children, missing }: Props) {
  const phone = useMediaQuery('(max-width: 48em)')
  return (
    <Dialog
      onClose={missing.onClose}
      withCloseButton={false}
      size={size}
      padding={0}
      fullScreen={phone}
      centered={false}
      yOffset="4dvh"
      returnFocus={false}
      classNames={{ content: classes.content, body: classes.body }}
      attributes={{ content: { 'aria-label': label } }}
    >
      {children ||
        (pending ? (
          <Stack p="lg" aria-busy="true">
            <Skeleton height={28} width="60%" />
            <Skeleton height={160} />
            <Skeleton height={32} width="40%" />
          </Stack>
        ) : (
          <Missing {...missing} />
        ))}
    </Dialog>
  )
}

function Missing({ error, icon, refused, gone, failed, back, onRetry, onClose }: MissingProps) {
  const close = <ActionButton label={back} variant="light" onClick={onClose} />
  const status = error instanceof ApiError ? error.status : undefined
  const page = { size: 'block', icon, actions: close } as const
  if (status === 403) return <StatePage {...page} title={refused} text={error ? failureWords(error) : undefined} />
  if (!error || status === 404) return <StatePage {...page} {...gone} />
  const actions = (
    <>
      <Button onClick={onRetry}>Повторить</Button>
      {close}
    </>
  )
  return <StatePage {...page} title={failed} text={errorMessage(error)} actions={actions} />
}
