import { Box, Menu, Switch, Text, TextInput, Title } from '@mantine/core'
import { StageAction, stageActionTypes } from '@ordinator/model/areas/sales/funnel'
import { User } from '@ordinator/model/areas/staff/user'
import { Assigned } from '@ordinator/model/areas/tasks/task'
import type { Create, Row } from '@ordinator/model/entity'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { recordsWith } from '#base/client.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { AjaxSelect } from '#kit/AjaxSelect.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { Block, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { wrongNumber } from '#records/fields/wrongNumber.ts'
import { useList } from '#records/reads.ts'
import { useMove, useRemove, useSave } from '#records/writes.ts'
import classes from './Funnels.module.css'

type ActionRow = Row<typeof StageAction>
type ActionType = ActionRow['type']
const types = Object.keys(stageActionTypes) as ActionType[]
const MAX_ACTIONS = 50
const MAX_TEXT = 500

/** Ordered automatic actions when a deal enters the stage. */
export function StageActions({ idStage, mayEdit }: { idStage: number; mayEdit: boolean }) {
  const list = useList(StageAction, { filter: { idStage }, sort: 'order', limit: MAX_ACTIONS }, { forbidden: 'silent' })
  const actions = list.data?.items ?? []
  const save = useSave(StageAction)
  const move = useMove(StageAction)
  const remove = useRemove(StageAction, { message: 'Действие удалено' })
  const [adding, setAdding] = useState<ActionType>()
  return (
    <section aria-label="Действия этапа">
      <Title order={3} size="h2">
        Действия
      </Title>
      <Fine component="p" mb={8}>
        Выполняются сами, когда сделка приходит на этап
      </Fine>
      {actions.length > 0 && (
        <Block component="ul" framed>
          {actions.map((action) => (
            <OrderedRow
              key={action.id}
              kind={`stage-actions-${idStage}`}
              row={action}
              rows={actions}
              name={stageActionTypes[action.type]}
              mayEdit={mayEdit}
              onPut={(id, place) => move.mutate({ id, ...place })}
              menu={
                <>
                  <Menu.Divider />
                  <MenuItem label="Удалить" icon={IconTrash} danger onClick={() => remove.mutate(action.id)} />
                </>
              }
            >
              <VStack grow py={8}>
                <Switch
                  size="sm"
                  label={stageActionTypes[action.type]}
                  checked={action.isActive}
                  disabled={!mayEdit}
                  onChange={(event) => save.mutate({ id: action.id, isActive: event.currentTarget.checked })}
                />
                <ActionFields
                  action={action}
                  disabled={!mayEdit}
                  onChange={(values) => save.mutate({ id: action.id, ...values })}
                />
              </VStack>
            </OrderedRow>
          ))}
        </Block>
      )}
      {list.isSuccess && actions.length === 0 && !adding && (
        <Text c="dimmed" size="sm">
          Действий нет
        </Text>
      )}
      {adding && (
        <Box p={8}>
          <Text size="sm">{stageActionTypes[adding]}</Text>
          <NewAction
            type={adding}
            onSave={(values) => {
              save.mutate({ idStage, type: adding, ...values }, { onSuccess: () => setAdding(undefined) })
            }}
            onCancel={() => setAdding(undefined)}
          />
        </Box>
      )}
      {mayEdit && !adding && (
        <Menu position="bottom-start" width={264}>
          <Menu.Target>
            <ActionButton label="Добавить действие" mt={8} variant="default" size="compact-md" icon={IconPlus} />
          </Menu.Target>
          <Menu.Dropdown>
            {types.map((type) => (
              <Menu.Item key={type} onClick={() => setAdding(type)}>
                {stageActionTypes[type]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </section>
  )
}

type Values = Partial<Pick<Create<typeof StageAction>, 'idTemplate' | 'idUser' | 'hours' | 'text'>>

function NewAction({
  type,
  onSave,
  onCancel,
}: {
  type: ActionType
  onSave: (values: Values) => void
  onCancel: () => void
}) {
  const [values, setValues] = useState<Values>(type === 'remind' ? { hours: 24 } : {})
  const ready = type === 'task' ? values.idTemplate : type === 'responsible' ? values.idUser : values.hours !== null
  return (
    <>
      <ActionFields
        action={{ type, idTemplate: null, idUser: null, hours: null, text: null, ...values }}
        disabled={false}
        onChange={(more) => setValues({ ...values, ...more })}
      />
      <ActionButton label="Добавить" mt={8} mr={8} size="compact-md" disabled={!ready} onClick={() => onSave(values)} />
      <ActionButton label="Отмена" mt={8} size="compact-md" variant="default" onClick={onCancel} />
    </>
  )
}

interface FieldsProps {
  action: Pick<ActionRow, 'type' | 'idTemplate' | 'idUser' | 'hours' | 'text'>
  disabled: boolean
  onChange: (values: Values) => void
}

function ActionFields({ action, disabled, onChange }: FieldsProps) {
  const [hours, setHours] = useState<number | string | null>(action.hours)
  const [text, setText] = useState(action.text ?? '')
  if (action.type === 'task')
    return (
      <TemplateSelect
        value={action.idTemplate}
        disabled={disabled}
        onChange={(idTemplate) => onChange({ idTemplate })}
      />
    )
  if (action.type === 'responsible')
    return (
      <RefSelect
        to={User.path}
        aria-label="Ответственный"
        placeholder="Сотрудник"
        disabled={disabled}
        value={action.idUser}
        onChange={(idUser) => idUser !== null && onChange({ idUser })}
      />
    )
  return (
    <div className={classes.pair}>
      <CheckedNumber
        f={StageAction.fields.hours}
        needed
        aria-label="Через, часов"
        unit="ч"
        disabled={disabled}
        value={hours}
        onChange={setHours}
        onBlur={() =>
          !wrongNumber(StageAction.fields.hours, hours, true) &&
          hours !== action.hours &&
          onChange({ hours: hours as number })
        }
      />
      <TextInput
        aria-label="Текст напоминания"
        placeholder="О чём напомнить"
        maxLength={MAX_TEXT}
        disabled={disabled}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={() => text.trim() !== (action.text ?? '') && onChange({ text: text.trim() || null })}
      />
    </div>
  )
}

interface TemplateProps {
  value: number | null
  disabled: boolean
  onChange: (id: number) => void
}

/** Task template by its card on a board: new tasks go to the card's column. */
function TemplateSelect({ value, disabled, onChange }: TemplateProps) {
  const chosen = useList(
    Assigned,
    { filter: { id: value ?? 0 }, ...templateQuery, limit: 1 },
    { enabled: value !== null, forbidden: 'silent' },
  )
  const card = value === null ? undefined : chosen.data?.items[0]
  return (
    <AjaxSelect
      aria-label="Шаблон задачи"
      placeholder="Шаблон задачи"
      from={0}
      clearable={false}
      disabled={disabled}
      value={value === null ? null : { value, label: card ? card.task.name : `№ ${value}` }}
      onChange={(option) => option && onChange(option.value)}
      load={async (typed, signal) => {
        const filter = { 'task.isTemplate': true, ...(typed && { 'task.name': { ilike: typed } }) }
        const { items } = await quiet.list(Assigned, { filter, ...templateQuery, limit: 20 }, { signal })
        return items.map(({ id, task, column }) => ({
          value: id,
          label: task.name,
          hint: column?.name,
        }))
      }}
    />
  )
}

const templateQuery = {
  expand: ['task', 'column'],
  fields: ['task.name', 'column.name'],
} as const
const quiet = recordsWith({ forbidden: 'silent', quiet: true })
