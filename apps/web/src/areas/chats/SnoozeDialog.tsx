import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateTimeField } from '#kit/DateTimeField.tsx'
import { VStack } from '#kit/Stacks.tsx'

interface Props {
  run: (until: string, hard: boolean) => Promise<unknown>
  onClose: () => void
}

/** Snoozes a chat until a time, optionally ignoring the visitor's messages. */
export function SnoozeDialog({ run, onClose }: Props) {
  const [until, setUntil] = useState<string | null>(null)
  const [hard, setHard] = useState(false)
  const moment = until ? Date.parse(until) : Number.NaN
  const fault = Number.isNaN(moment) ? 'Укажите день и время' : moment <= Date.now() && 'Это время уже прошло'
  return (
    <ActionDialog
      title="Отложить чат"
      action="Отложить"
      faults={{ until: fault }}
      run={() => run(until as string, hard)}
      onClose={onClose}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <DateTimeField
            label="До какого времени"
            data-autofocus
            value={until}
            defaultTime="09:00"
            error={errorOf('until')}
            onChange={setUntil}
          />
          <Checkbox
            label="Не будить ответом"
            description="Ответ посетителя не вернёт чат раньше этого времени"
            checked={hard}
            onChange={(event) => setHard(event.currentTarget.checked)}
          />
        </VStack>
      )}
    </ActionDialog>
  )
}
