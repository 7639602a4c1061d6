import { Select } from '@mantine/core'
import { Appeal, outcomes } from '@ordinator/model/areas/appeals/appeal'
import type { Update } from '@ordinator/model/entity'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { useSave } from '#records/writes.ts'
import { NextStepFields, useNextStep, WayField } from './nextStep.tsx'
import type { OpenAppeal } from './useAppeal.ts'

type Outcome = keyof typeof outcomes

const data = Object.entries(outcomes).map(([value, label]) => ({ value, label }))

/** Closes an appeal; requires an outcome, or the next step with its date. */
export function CloseDialog({ appeal, onClose }: { appeal: OpenAppeal; onClose: () => void }) {
  const save = useSave(Appeal, { optimistic: false, toast: false })
  const step = useNextStep(appeal, appeal.nextStep ? 'next' : 'outcome')
  const [outcome, setOutcome] = useState<Outcome | null>(appeal.outcome)
  const run = async () => {
    const ends: Update<typeof Appeal> =
      step.way === 'outcome' ? { outcome, nextStep: null, dateNextStep: null } : { outcome: null, ...step.value }
    await save.mutateAsync({ id: appeal.id, status: 'closed', ...ends })
    notify.success('Обращение закрыто')
  }
  return (
    <ActionDialog
      title="Закрыть обращение"
      action="Закрыть обращение"
      run={run}
      onClose={onClose}
      faults={step.way === 'outcome' ? { outcome: outcome === null && 'Выберите, чем кончилось' } : step.faults}
    >
      {(errorOf) => (
        <VStack gap={12}>
          <WayField step={step} label="Чем кончилось" />
          {step.way === 'outcome' ? (
            <Select
              label="Итог"
              withAsterisk
              data-autofocus
              data={data}
              value={outcome}
              error={errorOf('outcome')}
              onChange={(value) => setOutcome(value as Outcome | null)}
            />
          ) : (
            <NextStepFields
              step={step}
              errors={{ nextStep: errorOf('nextStep'), dateNextStep: errorOf('dateNextStep') }}
              defaultTime="18:00"
            />
          )}
        </VStack>
      )}
    </ActionDialog>
  )
}
