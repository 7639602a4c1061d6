import { MultiSelect } from '@mantine/core'
import { Stage } from '@ordinator/model/areas/sales/funnel'
import { requirableFields } from '@ordinator/model/areas/sales/rules'
import { useState } from 'react'
import { SidePanel } from '#kit/SidePanel.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'
import { wrongNumber } from '#records/fields/wrongNumber.ts'
import { useSave } from '#records/writes.ts'
import type { StageRow } from '../board/deals.ts'
import { StageActions } from './StageActions.tsx'

const { daysLimit } = Stage.fields

interface Props {
  stage: StageRow
  stages: readonly StageRow[]
  mayEdit: boolean
  onClose: () => void
}

/** Rules of a stage: required fields, allowed next stages, automatic actions. */
export function StageRules({ stage, stages, mayEdit, onClose }: Props) {
  const save = useSave(Stage)
  const [days, setDays] = useState<number | string | null>(stage.daysLimit)
  const shared = { clearable: true, disabled: !mayEdit, nothingFoundMessage: 'Совпадений не найдено' } as const
  return (
    <SidePanel opened onClose={onClose} title={`Правила этапа «${stage.name}»`}>
      <VStack gap={16}>
        <CheckedNumber
          f={daysLimit}
          label="Срок этапа, дней"
          description="Дольше — сделка считается застрявшей"
          disabled={!mayEdit}
          value={days}
          onChange={setDays}
          onBlur={() => {
            if (!wrongNumber(daysLimit, days) && days !== stage.daysLimit)
              save.mutate({ id: stage.id, daysLimit: days as number | null })
          }}
        />
        <MultiSelect
          {...shared}
          label="Обязательные поля"
          description="Без них сделка не перейдёт на этот этап"
          placeholder={stage.requiredFields?.length ? undefined : 'Никакие'}
          searchable
          data={Object.entries(requirableFields).map(([value, label]) => ({ value, label }))}
          value={stage.requiredFields ?? []}
          onChange={(requiredFields) => save.mutate({ id: stage.id, requiredFields })}
        />
        <MultiSelect
          {...shared}
          label="Куда можно перейти"
          description="Пусто — на любой этап"
          placeholder={stage.nextStages?.length ? undefined : 'На любой этап'}
          data={stages.filter(({ id }) => id !== stage.id).map(({ id, name }) => ({ value: String(id), label: name }))}
          value={(stage.nextStages ?? []).map(String)}
          onChange={(next) => save.mutate({ id: stage.id, nextStages: next.map(Number) })}
        />
        <StageActions idStage={stage.id} mayEdit={mayEdit} />
      </VStack>
    </SidePanel>
  )
}
