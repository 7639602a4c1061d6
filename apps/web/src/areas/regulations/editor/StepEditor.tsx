import { ActionIcon, TextInput } from '@mantine/core'
import { MAX_NAME } from '@ordinator/model/areas/regulations/regulation'
import { stepImportances, stepStatuses } from '@ordinator/model/areas/regulations/step'
import { formatSpan } from '@ordinator/model/format'
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconChevronRight,
  IconCopy,
  IconGripVertical,
  IconTrash,
} from '@tabler/icons-react'
import { memo, useRef } from 'react'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { confirm } from '#kit/confirm.ts'
import { HStack } from '#kit/Stacks.tsx'
import { onSortKeys, useSortable } from '#kit/useSortable.ts'
import { Chip } from '../Chip.tsx'
import { importanceColors, stepStatusColors } from '../looks.ts'
import type { StepDraft } from './draft.ts'
import { StepBody } from './StepBody.tsx'
import classes from './StepEditor.module.css'
import type { DraftActs } from './useRegulationDraft.ts'

interface Props {
  step: StepDraft
  /** Index, from 0. */
  at: number
  /** Keys of the neighbours. */
  before: number | undefined
  after: number | undefined
  open: boolean
  /** Error of the title. */
  error: string | undefined
  /** Error of other fields. */
  more: string | undefined
  acts: DraftActs
}

/** A step in the editor: one line, with fields below when open. */
export const StepEditor = memo(function StepEditor({ step, at, before, after, open, error, more, acts }: Props) {
  const grip = useRef<HTMLSpanElement>(null)
  const { ref, edge, dragging } = useSortable<HTMLLIElement>({
    kind: 'regulation-steps',
    id: step.key,
    handle: grip,
    onPut: acts.put,
  })
  const { key } = step
  const move = (way: 'up' | 'down') => {
    if (way === 'up' && before !== undefined) acts.put(key, { before })
    if (way === 'down' && after !== undefined) acts.put(key, { after })
  }
  const remove = async () => {
    const message = 'Вы уверены, что хотите удалить этот шаг?'
    if (await confirm({ message, confirm: 'Удалить', danger: true })) acts.remove(key)
  }
  const name = step.title.trim() || `Шаг ${at + 1}`
  return (
    <li
      ref={ref}
      className={classes.step}
      data-edge={edge ?? undefined}
      data-dragging={dragging || undefined}
      data-wrong={error || more ? true : undefined}
      onKeyDown={onSortKeys(move)}
    >
      <div className={classes.line}>
        <span ref={grip} className={classes.grip} aria-hidden>
          <IconGripVertical size={16} />
        </span>
        <ActionIcon
          size={28}
          variant="subtle"
          color="gray"
          aria-expanded={open}
          aria-label={`${open ? 'Свернуть' : 'Развернуть'}: ${name}`}
          onClick={() => acts.open([key], !open)}
        >
          <IconChevronRight size={18} className={classes.chevron} data-open={open || undefined} />
        </ActionIcon>
        <span className={`${classes.number} tabular`}>{at + 1}</span>
        <TextInput
          miw={0}
          flex={1}
          aria-label={`Название шага ${at + 1}`}
          placeholder="Название шага"
          maxLength={MAX_NAME}
          data-field={`stages.${at}.title`}
          value={step.title}
          error={error}
          autoFocus={step.id === null && !step.title && open}
          onChange={(event) => acts.changeStep(key, { title: event.currentTarget.value })}
        />
        {!open && <Facts step={step} />}
        <ActionMenu label={`Действия: ${name}`} size={28} width={232}>
          <MenuItem label="Выше" icon={IconArrowUp} disabled={before === undefined} onClick={() => move('up')} />
          <MenuItem label="Ниже" icon={IconArrowDown} disabled={after === undefined} onClick={() => move('down')} />
          <MenuItem label="Повторить в конце" icon={IconCopy} onClick={() => acts.add([step])} />
          <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => void remove()} />
        </ActionMenu>
      </div>
      {more && (
        <HStack component="p" align="stretch" px={16} pb={8} c="var(--mantine-color-error)" role="alert">
          <IconAlertTriangle size={16} aria-hidden /> {more}
        </HStack>
      )}
      {open && <StepBody step={step} at={at} acts={acts} />}
    </li>
  )
})

/** Summary of a closed step, without default values. */
function Facts({ step }: { step: StepDraft }) {
  const { status, importance, timeEstimate } = step
  return (
    <span className={classes.facts}>
      {status !== 'active' && <Chip color={stepStatusColors[status]}>{stepStatuses[status]}</Chip>}
      {importance !== 'normal' && <Chip color={importanceColors[importance]}>{stepImportances[importance]}</Chip>}
      {timeEstimate > 0 && <span className="tabular">{formatSpan(timeEstimate * 60)}</span>}
    </span>
  )
}
