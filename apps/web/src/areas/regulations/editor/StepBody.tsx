import { Box, Select, TextInput } from '@mantine/core'
import {
  RegulationStep,
  type StepImportance,
  type StepStatus,
  type StepType,
  stepImportances,
  stepStatuses,
  stepTypes,
} from '@ordinator/model/areas/regulations/step'
import { AjaxMultiSelect } from '#kit/AjaxSelect.tsx'
import { Tiles, VStack } from '#kit/Stacks.tsx'
import { useNear } from '#kit/useNear.ts'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'
import { RichTextEditor } from '#records/fields/richTextPart.tsx'
import { searchScripts } from '../calls.ts'
import type { StepDraft } from './draft.ts'
import classes from './StepBody.module.css'
import { StepDocuments } from './StepDocuments.tsx'
import { StepImages } from './StepImages.tsx'
import { UsersField } from './UserFields.tsx'
import type { DraftActs } from './useRegulationDraft.ts'

const MAX_RESPONSIBLE = 255

interface Props {
  step: StepDraft
  at: number
  acts: DraftActs
}

/** Fields of an open step, rendered near the viewport: a hundred open steps must not mean a hundred editors. */
export function StepBody(props: Props) {
  const [ref, near] = useNear<HTMLDivElement>()
  return (
    <VStack ref={ref} gap={16} rule="top" px={16} pt={12} pb={16}>
      {near ? <Fields {...props} /> : <Box h={560} />}
    </VStack>
  )
}

function Fields({ step, at, acts }: Props) {
  const change = (patch: Partial<StepDraft>) => acts.changeStep(step.key, patch)
  return (
    <>
      <RichTextEditor
        label="Описание"
        name={`stages.${at}.description`}
        placeholder="Что и как делают на этом шаге"
        value={step.description}
        onChange={(description) => change({ description: description as string | null })}
      />
      <Tiles tile={168} gap={12}>
        <Select
          label="Статус"
          data={options(stepStatuses)}
          value={step.status}
          onChange={(status) => change({ status: status as StepStatus })}
        />
        <Select
          label="Важность"
          data={options(stepImportances)}
          value={step.importance}
          onChange={(importance) => change({ importance: importance as StepImportance })}
        />
        <Select
          label="Тип"
          data={options(stepTypes)}
          value={step.type}
          onChange={(type) => change({ type: type as StepType })}
        />
        <CheckedNumber
          f={RegulationStep.fields.timeEstimate}
          label="Время, мин"
          value={step.timeEstimate}
          onChange={(minutes) => change({ timeEstimate: (minutes ?? 0) as number })}
        />
      </Tiles>
      <div className={classes.who}>
        <TextInput
          label="Кто выполняет"
          placeholder="Должность: администратор"
          maxLength={MAX_RESPONSIBLE}
          value={step.responsible}
          onChange={(event) => change({ responsible: event.currentTarget.value })}
        />
        <UsersField label="Ответственные" value={step.users} onChange={(users) => change({ users })} />
      </div>
      <AjaxMultiSelect
        label="Скрипты"
        placeholder="Выберите скрипты"
        from={0}
        load={searchScripts}
        value={step.scripts.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(chosen) => change({ scripts: chosen.map(({ value, label }) => ({ id: value, name: label })) })}
      />
      <StepImages step={step} acts={acts} />
      <StepDocuments step={step} acts={acts} />
    </>
  )
}

const options = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
