import { Box, Menu, Select, Text } from '@mantine/core'
import {
  Violation,
  type ViolationLevel,
  type ViolationState,
  violationLevels,
  violationSources,
  violationStates,
} from '@ordinator/model/areas/regulations/run'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import type { Expanded } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import { IconChevronDown, IconMessage, IconPlus, IconShieldCheck, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserChip } from '#kit/UserChip.tsx'
import { Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useList } from '#records/reads.ts'
import { useRemove, useSave } from '#records/writes.ts'
import { Chip } from '../Chip.tsx'
import { violationColors } from '../looks.ts'
import { violationStateColors } from '../runs/looks.ts'
import type { ViewPartProps } from '../view/ViewPartProps.ts'
import { ViolationDialog } from './ViolationDialog.tsx'
import classes from './Violations.module.css'

const MAX_SHOWN = 500
const MAX_DEDUCTION = 1_000_000
type Shown = Expanded<typeof Violation, 'user'>

/** Violations visible to the user: by level and status, with explanations and decisions. */
export function ViolationsTab({ view }: ViewPartProps) {
  const { permissions } = useActor()
  const [level, setLevel] = useState<ViolationLevel | null>(null)
  const [state, setState] = useState<ViolationState | null>(null)
  const [adding, setAdding] = useState(false)
  const list = useList(
    Violation,
    {
      filter: { idRegulation: view.id, ...(level && { level }), ...(state && { state }) },
      expand: ['user'],
      sort: '-id',
      limit: MAX_SHOWN,
    },
    { forbidden: 'silent' },
  )
  const mayAdd = permissions.editScripts && (view.status === 'active' || view.status === 'archived')
  const isFiltered = level !== null || state !== null
  return (
    <VStack component="section" gap={12} aria-label="Нарушения">
      <HStack wrap>
        <Select
          size="xs"
          aria-label="Тяжесть"
          placeholder="Любая тяжесть"
          clearable
          data={optionsOf(violationLevels)}
          value={level}
          onChange={(value) => setLevel(value as ViolationLevel | null)}
        />
        <Select
          size="xs"
          aria-label="Состояние"
          placeholder="Любое состояние"
          clearable
          data={optionsOf(violationStates)}
          value={state}
          onChange={(value) => setState(value as ViolationState | null)}
        />
        {mayAdd && (
          <ActionButton
            label="Отметить нарушение"
            ml="auto"
            size="compact-md"
            variant="default"
            icon={IconPlus}
            onClick={() => setAdding(true)}
          />
        )}
      </HStack>
      {list.isPending ? (
        <LinesSkeleton lines={4} />
      ) : list.isError ? (
        <ErrorState title="Ошибка при загрузке данных" error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data.items.length === 0 ? (
        <EmptyState
          icon={IconShieldCheck}
          title={isFiltered ? 'Таких нарушений нет' : 'Нарушений нет'}
          text={
            isFiltered
              ? 'Смягчите отбор'
              : 'Сюда попадают шаги, которые при выполнении пропустили, не сделали или затянули'
          }
        />
      ) : (
        <Block component="ul" framed>
          {list.data.items.map((one) => (
            <Line key={one.id} violation={one} view={view} />
          ))}
        </Block>
      )}
      {adding && <ViolationDialog view={view} onClose={() => setAdding(false)} />}
    </VStack>
  )
}

const optionsOf = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

function Line({ violation, view }: { violation: Shown; view: RegulationView }) {
  const { id, idStep, user, level, source, state, description, explanation, deduction, dateCreate } = violation
  const { id: me, permissions } = useActor()
  const [explaining, setExplaining] = useState(false)
  const [judging, setJudging] = useState(false)
  const save = useSave(Violation, { optimistic: false })
  const explain = useSave(Violation, { optimistic: false, toast: false })
  const n = view.stages.findIndex((stage) => stage.id === idStep) + 1
  const mayExplain = violation.idUser === me && (state === 'new' || state === 'explained')
  return (
    <li className={classes.violation} data-level={level}>
      <HStack gap="4px 8px" wrap>
        <Chip color={violationColors[level]}>{violationLevels[level]}</Chip>
        <Text span inherit fw={500} miw={160} flex={1} className="breaks">
          {n ? `Шаг ${n}. ${view.stages[n - 1]?.title}` : 'Регламент в целом'}
        </Text>
        <Box component="span" ml="auto" flex="none">
          {permissions.editScripts ? (
            <StateMenu
              violation={violation}
              busy={save.isPending}
              onPick={(to) => (to === 'confirmed' ? setJudging(true) : save.mutate({ id, state: to }))}
            />
          ) : (
            <Chip color={violationStateColors[state]}>{violationStates[state]}</Chip>
          )}
        </Box>
      </HStack>
      <Text className="breaks lines">{description}</Text>
      {explanation && (
        <p className={classes.explanation}>
          <IconMessage size={16} aria-label="Объяснение" /> {explanation}
        </p>
      )}
      <HStack gap="4px 8px" wrap>
        {user && <UserChip user={user} />}
        <Muted>
          {formatDateTime(dateCreate)}, {violationSources[source].toLowerCase()}
        </Muted>
        {deduction !== null && Number(deduction) > 0 && <Muted>Удержание {formatMoney(deduction)}</Muted>}
        {mayExplain && (
          <ActionButton
            label={explanation ? 'Изменить объяснение' : 'Объяснить'}
            ml="auto"
            size="compact-sm"
            variant="light"
            onClick={() => setExplaining(true)}
          />
        )}
      </HStack>
      {judging && (
        <JudgeDialog
          deduction={deduction}
          onClose={() => setJudging(false)}
          run={(sum) => save.mutateAsync({ id, state: 'confirmed', deduction: sum })}
        />
      )}
      {explaining && (
        <WordsDialog
          title="Объяснение нарушения"
          label="Что произошло"
          required
          action="Отправить"
          run={(explanation) => explain.mutateAsync({ id, explanation })}
          onClose={() => setExplaining(false)}
        />
      )}
    </li>
  )
}

interface JudgeProps {
  deduction: number | string | null
  run: (deduction: number | null) => Promise<unknown>
  onClose: () => void
}

/** Confirms a violation, with the deduction from the pay. */
function JudgeDialog({ deduction, run, onClose }: JudgeProps) {
  const [sum, setSum] = useState<number | string | null>(deduction)
  const read = sum === null || sum === '' ? null : Number(sum)
  return (
    <ActionDialog
      title="Подтвердить нарушение"
      action="Подтвердить"
      faults={{
        deduction: read !== null && !(read >= 0 && read <= MAX_DEDUCTION) && 'Сумма от 0 до 1 000 000 ₽',
      }}
      run={async () => {
        await run(read)
      }}
      onClose={onClose}
    >
      {(errorOf) => (
        <NumberField
          label="Удержание"
          description="Пусто — без удержания. Попадёт в отчёт «Нарушения регламентов»."
          unit="₽"
          digits={2}
          value={sum}
          onChange={setSum}
          error={errorOf('deduction')}
        />
      )}
    </ActionDialog>
  )
}

interface MenuProps {
  violation: Shown
  busy: boolean
  onPick: (state: ViolationState) => void
}

function StateMenu({ violation: { id, state }, busy, onPick }: MenuProps) {
  const remove = useRemove(Violation, { message: 'Нарушение удалено' })
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionButton
          label={violationStates[state]}
          size="compact-sm"
          variant="default"
          loading={busy}
          rightSection={<IconChevronDown size={16} />}
          aria-label={`Состояние: ${violationStates[state]}`}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(violationStates).map(([value, label]) => (
          <Menu.Item key={value} disabled={value === state} onClick={() => onPick(value as ViolationState)}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <MenuItem label="Удалить" danger icon={IconTrash} onClick={() => remove.mutate(id)} />
      </Menu.Dropdown>
    </Menu>
  )
}
