import { Select, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ActionDialogProps } from './ActionDialog.tsx'
import { FormDialog } from './FormDialog.tsx'

interface Props<K extends string> extends Pick<ActionDialogProps, 'title' | 'cancel' | 'onClose'> {
  /** Label of the button. */
  action: string
  /** The reasons to choose from, with their labels. */
  reasons: Readonly<Record<K, string>>
  /** Above the reason. */
  intro?: ReactNode
  /** Between the reason and the note. */
  more?: (reason: K | null) => ReactNode
  /** Does it: the note is trimmed, and may be empty. */
  send: (reason: K, note: string) => Promise<unknown>
}

/** Asks for the reason of a cancellation or a refusal, with a note. */
export function ReasonDialog<K extends string>({ reasons, intro, more, send, ...dialog }: Props<K>) {
  return (
    <FormDialog
      {...dialog}
      danger
      draft={{ reason: null as K | null, note: '' }}
      required={{ reason: 'Выберите причину' }}
      send={({ reason, note }) => send(reason, note)}
    >
      {({ value, text, draft, set }) => (
        <>
          {intro && <span>{intro}</span>}
          <Select
            label="Причина"
            data={Object.entries(reasons).map(([key, label]) => ({ value: key, label: label as string }))}
            {...value('reason')}
            onChange={(key) => set({ reason: key as K | null })}
          />
          {more?.(draft.reason)}
          <Textarea label="Пояснение" autosize minRows={2} maxLength={500} {...text('note')} />
        </>
      )}
    </FormDialog>
  )
}
