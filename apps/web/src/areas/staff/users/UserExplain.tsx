import { SegmentedControl, Select, Text, Title, Tooltip } from '@mantine/core'
import type { Verdict } from '@ordinator/model/areas/staff/calls'
import { IconCircleCheck, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { SearchField } from '#kit/SearchField.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack } from '#kit/Stacks.tsx'
import { useNear } from '#kit/useNear.ts'
import { briefs } from '#records/declarations.ts'
import { explainKey, useRightsChange } from './rights.ts'
import classes from './Users.module.css'

const filters = { all: 'Всё', closed: 'Закрыто', open: 'Открыто' } as const
type Shown = keyof typeof filters

/** Explains why the employee may or may not see a page or do something, and the role that would grant it. */
export function UserExplain({ idUser }: { idUser: number }) {
  const answer = useQuery({
    queryKey: explainKey(idUser),
    queryFn: ({ signal }) => api('GET /staff/explain', { query: { idUser } }, { signal, forbidden: 'silent' }),
  })
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const wanted = search.trim().toLocaleLowerCase('ru')
  const found = (answer.data?.verdicts ?? []).filter(
    (verdict) =>
      (shown === 'all' || verdict.open === (shown === 'open')) &&
      [verdict.title, verdict.text, verdict.action, verdict.section, ...verdict.permissions.map((p) => p.label)].some(
        (text) => text?.toLocaleLowerCase('ru').includes(wanted),
      ),
  )
  return (
    <>
      <OneRecord idUser={idUser} />
      <h2 className={classes.section}>Экраны и действия</h2>
      <HStack align="flex-end" wrap>
        <SearchField
          maw={360}
          flex="1 1 220px"
          aria-label="Найти экран, действие или право"
          placeholder="Экран, действие или право"
          value={search}
          onChange={setSearch}
        />
        <SegmentedControl
          aria-label="Что показать"
          data={Object.entries(filters).map(([value, label]) => ({ value, label }))}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
        />
      </HStack>
      {answer.isPending ? (
        <LinesSkeleton lines={10} />
      ) : found.length === 0 ? (
        <EmptyState title="Ничего не найдено" text="Измените поиск или отбор" />
      ) : (
        [...Map.groupBy(found, (verdict) => (verdict.kind === 'page' ? '' : verdict.key))].map(([key, verdicts]) => (
          <Section key={key} title={(key && verdicts[0]?.title) || 'Экраны'} idUser={idUser} verdicts={verdicts} />
        ))
      )}
    </>
  )
}

/** Minimum height of a line in pixels. */
const LINE = 41

/** Lines are rendered near the viewport: there are hundreds, with buttons. */
function Section({ title, verdicts, idUser }: { title: string; verdicts: Verdict[]; idUser: number }) {
  const [ref, near] = useNear<HTMLElement>()
  return (
    <section ref={ref} aria-label={title}>
      <Title order={3} mt={16} mb={8}>
        {title}
      </Title>
      <Block component="ul" framed mt={12} mb={16} h={near ? undefined : verdicts.length * LINE}>
        {near &&
          verdicts.map((verdict) => (
            <Line key={`${verdict.key} ${verdict.action}`} verdict={verdict} idUser={idUser} />
          ))}
      </Block>
    </section>
  )
}

function Line({ verdict, idUser }: { verdict: Verdict; idUser: number }) {
  const change = useRightsChange(idUser)
  const offered = verdict.open ? [] : verdict.roles.filter((role) => !role.held)
  return (
    <li className={classes.verdict}>
      {verdict.open ? (
        <IconCircleCheck size={18} color="var(--ord-online)" role="img" aria-label="Доступно" />
      ) : (
        <IconLock size={18} color="var(--mantine-color-error)" role="img" aria-label="Закрыто" />
      )}
      <Text span inherit miw={0} className="breaks">
        {verdict.action ?? verdict.title}
      </Text>
      <span className={classes.because}>
        {verdict.text}
        {offered.map((role) => (
          <Tooltip key={role.id} label="Выдать сотруднику эту роль">
            <ActionButton
              label={role.name}
              size="compact-xs"
              variant="default"
              icon={IconPlus}
              loading={change.isPending && change.variables?.kind === 'role' && change.variables.idRole === role.id}
              onClick={() => change.mutate({ kind: 'role', idRole: role.id, name: role.name, held: undefined })}
            />
          </Tooltip>
        ))}
      </span>
    </li>
  )
}

const options = briefs.map((entity) => ({ value: entity.path, label: entity.label[0] }))

/** Checks one record by id, including row rules. */
function OneRecord({ idUser }: { idUser: number }) {
  const [entity, setEntity] = useState<string | null>(null)
  const [id, setId] = useState<number | string | null>(null)
  const [asked, setAsked] = useState<{ entity: string; id: number }>()
  const answer = useQuery({
    queryKey: [...explainKey(idUser), asked],
    queryFn: ({ signal }) =>
      api('GET /staff/explain', { query: { idUser, ...asked } }, { signal, forbidden: 'silent' }),
    enabled: asked !== undefined,
  })
  return (
    <section aria-labelledby="one-record">
      <h2 id="one-record" className={classes.section}>
        Почему не видна запись
      </h2>
      <HStack
        component="form"
        align="flex-end"
        wrap
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          if (entity && Number(id) > 0) setAsked({ entity, id: Number(id) })
        }}
      >
        <Select
          maw={360}
          flex="1 1 220px"
          label="Что"
          placeholder="Задача, сотрудник…"
          data={options}
          value={entity}
          onChange={setEntity}
          searchable
        />
        <NumberField label="Номер" w={120} value={id} onChange={setId} />
        <ActionButton
          label="Проверить"
          type="submit"
          variant="default"
          disabled={!entity || !(Number(id) > 0)}
          loading={answer.isFetching}
        />
      </HStack>
      {answer.isError && (
        <ErrorState title="Не удалось проверить" error={answer.error} onRetry={() => void answer.refetch()} />
      )}
      {answer.data && (
        <Block component="ul" framed mt={12} mb={16} aria-live="polite">
          {answer.data.verdicts.map((verdict) => (
            <Line key={verdict.action} verdict={verdict} idUser={idUser} />
          ))}
        </Block>
      )}
    </section>
  )
}
