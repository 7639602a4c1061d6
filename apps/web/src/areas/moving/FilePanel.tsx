import { Alert, Progress, Radio, Select } from '@mantine/core'
import {
  isMoveBusy,
  type Move,
  MoveFile,
  type MoveTwins,
  moveFileStates,
  moveTwins,
} from '@ordinator/model/areas/moving/move'
import { moveSums, moveTables } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney, formatNumber } from '@ordinator/model/format'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { SidePanel } from '#kit/SidePanel.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { useRecord } from '#records/reads.ts'
import classes from './Moving.module.css'
import { type Fate, type FileRow, type Seen, saveLeft, useAct, useProfiles, useSeen } from './movingCalls.ts'

type File = Row<typeof MoveFile>
const rowForms = ['строка', 'строки', 'строк'] as const

interface Props {
  move: Row<typeof Move>
  id: number
  onClose: () => void
}

/** One file: its columns, the rehearsal, the run, and what has come of it. */
export function FilePanel({ move, id, onClose }: Props) {
  const file = useRecord(MoveFile, id, {}, { forbidden: 'silent' })
  const table = moveTables.find(({ key }) => key === file.data?.table)
  return (
    <SidePanel opened onClose={onClose} wide title={table ? `${table.title}: ${file.data?.fileName}` : 'Файл переезда'}>
      {file.isError ? (
        <ErrorState title="Файл не найден" error={file.error} onRetry={() => void file.refetch()} />
      ) : file.data ? (
        <Content move={move} file={file.data} onClose={onClose} />
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </SidePanel>
  )
}

const steps = ['Чтение', 'Колонки', 'Репетиция', 'Загрузка'] as const
const stepOf = ({ state }: File): number =>
  ({ reading: 0, failed: 0, ready: 1, checking: 2, checked: 2, running: 3, done: 3, reverting: 3, reverted: 1 })[state]

function Content({ move, file, onClose }: { move: Row<typeof Move>; file: File; onClose: () => void }) {
  const now = stepOf(file)
  return (
    <VStack gap={20} p={4}>
      <ol className={classes.track} aria-label="Шаги файла">
        {steps.map((one, at) => (
          <li
            key={one}
            aria-current={at === now ? 'step' : undefined}
            data-done={at < now || file.state === 'done' || undefined}
          >
            {one}
          </li>
        ))}
      </ol>
      {file.message && (
        <Alert
          color={file.state === 'failed' ? 'red' : 'yellow'}
          variant="light"
          icon={<IconAlertTriangle size={18} />}
          role="alert"
        >
          {file.message}
        </Alert>
      )}
      {isMoveBusy(file.state) ? (
        <Going file={file} />
      ) : file.state === 'failed' ? (
        <VStack gap={12} align="flex-start">
          <Muted>Исправьте файл и добавьте его ещё раз.</Muted>
          <Drop file={file} onDropped={onClose} />
        </VStack>
      ) : file.state === 'ready' || file.state === 'reverted' ? (
        <Columns key={file._version} file={file} onClose={onClose} />
      ) : (
        <Outcome move={move} file={file} />
      )}
    </VStack>
  )
}

function Going({ file: { id, state, done, total } }: { file: File }) {
  const cancel = useAct(() => api('POST /moving/files/:id/cancel', { params: { id } }))
  return (
    <VStack gap={12} role="status">
      <span className="tabular">
        {moveFileStates[state]}
        {total > 0 && `: ${formatNumber(done)} из ${counted(total, rowForms)}`}
      </span>
      <Progress value={total > 0 ? (100 * done) / total : 100} animated aria-label="Ход работы с файлом" />
      <Fine>Панель можно закрыть: работа идёт на сервере.</Fine>
      {(state === 'checking' || state === 'running') && (
        <ActionButton
          label={state === 'checking' ? 'Остановить проверку' : 'Остановить и убрать загруженное'}
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          loading={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        />
      )}
    </VStack>
  )
}

function Columns({ file, onClose }: { file: File; onClose: () => void }) {
  const head = file.head ?? []
  const seen = useSeen(file as FileRow, undefined)
  const profiles = useProfiles()
  const [mapping, setMapping] = useState<Record<string, number>>(file.mapping ?? {})
  const [isNaming, setNaming] = useState(false)
  const match = useAct((body: { mapping?: Record<string, number>; profile?: string; twins?: MoveTwins }) =>
    api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body }),
  )
  const go = useAct(async () => {
    await api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: { mapping } })
    await api('POST /moving/files/:id/rehearse', { params: { id: file.id } })
  })
  const save = useAct(async (name: string) => {
    await api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: { mapping } })
    await api('POST /moving/files/:id/profile', { params: { id: file.id }, body: { name } })
  })
  if (!seen.data) return <LinesSkeleton lines={8} />
  const data = head.map(({ name }, at) => ({ value: String(at), label: name || `Колонка ${at + 1}` }))
  const missing = seen.data.columns.filter(({ name, required }) => required && mapping[name] === undefined)
  const taken = new Set(Object.values(mapping))
  const unused = head.flatMap(({ name }, at) => (taken.has(at) ? [] : [name || `Колонка ${at + 1}`]))
  const choose = (name: string, value: string | null) => {
    const { [name]: _, ...rest } = mapping
    setMapping(value === null ? rest : { ...rest, [name]: Number(value) })
  }
  const offered = (profiles.data?.items ?? []).filter(({ tables }) => tables.includes(file.table))
  return (
    <VStack gap={16}>
      <HStack gap={12} wrap align="flex-end" justify="space-between">
        <Select
          label="Профиль колонок"
          placeholder="Подобраны по названиям и содержанию"
          w={340}
          maw="100%"
          classNames={{ input: classes.cut }}
          data={offered.map(({ key, name, source }) => ({
            value: key,
            label: source ? name : `${name} — не проверено`,
          }))}
          value={null}
          onChange={(key) => key && match.mutate({ profile: key })}
        />
        <ActionButton label="Сохранить профилем…" variant="subtle" size="compact-md" onClick={() => setNaming(true)} />
      </HStack>
      {unused.length > 0 && (
        <Muted fz={13} role="status">
          Не загрузятся: {unused.map((name) => `«${name}»`).join(', ')}
        </Muted>
      )}
      <div className={classes.mapping}>
        {seen.data.columns.map(({ name, required }) => {
          const at = mapping[name]
          const samples = at === undefined ? '' : (head[at]?.samples.join(' · ') ?? '')
          return (
            <Fragment key={name}>
              <span>
                {name}
                {required && <span className={classes.left}> *</span>}
              </span>
              <Select
                aria-label={`Колонка файла для поля «${name}»`}
                placeholder="Не загружать"
                clearable={!required}
                searchable
                size="xs"
                data={data}
                value={at === undefined ? null : String(at)}
                error={required && at === undefined ? 'Выберите колонку' : undefined}
                onChange={(value) => choose(name, value)}
              />
              <span className={classes.samples} title={samples}>
                {samples}
              </span>
            </Fragment>
          )
        })}
      </div>
      {file.table === 'customers' && <Twins file={file} onChoose={(twins) => match.mutate({ twins, mapping })} />}
      <HStack justify="flex-end" gap={8} wrap>
        <Drop file={file} onDropped={onClose} />
        <Again file={file} />
        <ActionButton
          label="Проверить"
          loading={go.isPending}
          disabled={missing.length > 0}
          onClick={() => go.mutate(undefined)}
        />
      </HStack>
      {isNaming && (
        <WordsDialog
          title="Сохранить профиль колонок"
          label="Название"
          required
          max={120}
          action="Сохранить"
          onClose={() => setNaming(false)}
          run={(name: string) => save.mutateAsync(name)}
        />
      )}
    </VStack>
  )
}

function Twins({ file, onChoose }: { file: File; onChoose: (twins: MoveTwins) => void }) {
  return (
    <Radio.Group
      label="Если пациент похож на карту, которая здесь есть"
      value={file.twins}
      onChange={(value) => onChoose(value as MoveTwins)}
    >
      <HStack gap="8px 24px" mt={8} wrap>
        {(Object.keys(moveTwins) as MoveTwins[]).map((one) => (
          <Radio key={one} value={one} label={moveTwins[one]} />
        ))}
      </HStack>
    </Radio.Group>
  )
}

function Again({ file }: { file: File }) {
  const again = useAct(() => api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: {} }))
  return (
    <ActionButton
      label="Подобрать колонки заново"
      variant="default"
      loading={again.isPending}
      onClick={() => again.mutate(undefined)}
    />
  )
}

/** Takes a file that is not loaded off the plan. */
function Drop({ file, onDropped }: { file: File; onDropped: () => void }) {
  const drop = useAct(() => api('POST /moving/files/:id/drop', { params: { id: file.id } }))
  return (
    <ActionButton
      label="Убрать файл"
      variant="subtle"
      color="red"
      loading={drop.isPending}
      onClick={() => drop.mutate(undefined, { onSuccess: onDropped })}
    />
  )
}

const figures = (file: File): { fate: Fate; label: string; count: number; tone?: 'bad' | 'doubt' }[] => [
  { fate: 'new', label: file.state === 'done' ? 'Загружено новых' : 'Новых', count: file.created },
  { fate: 'changed', label: 'Изменённых там', count: file.updated },
  { fate: 'same', label: 'Без изменений', count: file.same },
  { fate: 'both', label: 'Изменены с обеих сторон', count: file.both, tone: 'doubt' },
  { fate: 'twin', label: 'Похожи на карты, которые есть', count: file.twin, tone: 'doubt' },
  { fate: 'doubt', label: 'С замечаниями', count: file.doubted, tone: 'doubt' },
  { fate: 'wrong', label: 'Останутся', count: file.wrong, tone: 'bad' },
]

/** What the rehearsal has found, or what has been taken in. */
function Outcome({ move, file }: { move: Row<typeof Move>; file: File }) {
  const [fate, setFate] = useState<Fate>()
  const seen = useSeen(file as FileRow, fate)
  const isDone = file.state === 'done'
  const run = useAct(() => api('POST /moving/files/:id/run', { params: { id: file.id } }))
  const again = useAct(() => api('POST /moving/files/:id/rehearse', { params: { id: file.id } }))
  const back = useAct(() =>
    api('PUT /moving/files/:id/mapping', { params: { id: file.id }, body: { mapping: file.mapping ?? {} } }),
  )
  const revert = useAct(() => api('POST /moving/files/:id/revert', { params: { id: file.id } }))
  const shown = figures(file).filter(({ count }) => count > 0)
  const goes = file.created + file.updated
  const askRevert = async () => {
    const sure = await confirm({
      title: 'Отменить загрузку файла',
      message:
        'Созданное уйдёт в корзину, изменённое получит прежние значения. Возможно, пока с загруженным никто не работал.',
      confirm: 'Отменить загрузку',
      cancel: 'Оставить',
      danger: true,
    })
    if (sure) revert.mutate(undefined)
  }
  return (
    <VStack gap={20}>
      <ul className={classes.figures} aria-label="Строки файла">
        {shown.map(({ fate: one, label, count, tone }) => (
          <li key={one}>
            <button
              type="button"
              className={classes.tile}
              data-tone={tone}
              aria-pressed={fate === one}
              onClick={() => setFate(fate === one ? undefined : one)}
            >
              <span className={classes.count}>{formatNumber(count)}</span>
              <span>{label}</span>
            </button>
          </li>
        ))}
      </ul>
      {seen.data && <Sums sums={seen.data.sums} />}
      {seen.data && <Reasons reasons={seen.data.reasons} />}
      {seen.data ? <Rows seen={seen.data} /> : <LinesSkeleton lines={6} />}
      <HStack justify="flex-end" gap={8} wrap>
        {file.wrong > 0 && (
          <ActionButton
            label="Строки, которые останутся"
            icon={IconDownload}
            variant="subtle"
            onClick={() => void saveLeft(move.id, 'wrong', file.id).catch((error) => notify.error(errorMessage(error)))}
          />
        )}
        {file.both > 0 && (
          <ActionButton
            label="Изменённые с обеих сторон"
            icon={IconDownload}
            variant="subtle"
            onClick={() => void saveLeft(move.id, 'both', file.id).catch((error) => notify.error(errorMessage(error)))}
          />
        )}
        {isDone ? (
          <ActionButton
            label="Отменить загрузку…"
            variant="default"
            loading={revert.isPending}
            onClick={() => void askRevert()}
          />
        ) : (
          <>
            <ActionButton
              label="К колонкам"
              variant="default"
              loading={back.isPending}
              onClick={() => back.mutate(undefined)}
            />
            <ActionButton
              label="Проверить заново"
              variant="default"
              loading={again.isPending}
              onClick={() => again.mutate(undefined)}
            />
            <ActionButton
              label={goes > 0 ? `Загрузить: ${counted(goes, rowForms)}` : 'Загружать нечего'}
              disabled={goes === 0}
              loading={run.isPending}
              onClick={() => run.mutate(undefined)}
            />
          </>
        )}
      </HStack>
    </VStack>
  )
}

/** «долгов 1 243 000,00 ₽ у 318 пациентов»: to be compared with the former program. */
export function Sums({ sums }: { sums: Seen['sums'] }) {
  if (sums.length === 0) return null
  return (
    <Block framed component="section" className={classes.sums} aria-label="Суммы файла">
      <h3 className={classes.title}>Сверьте с прежней программой</h3>
      <ul>
        {sums.map(({ kind, people, file, left }) => (
          <li key={kind} className="tabular">
            {`${moveSums[kind].genitive} ${kind === 'bonus' ? formatNumber(file) : formatMoney(file)} у ${counted(people, moveSums[kind].of)}`}
            {left > 0 && (
              <Fine>{` · из них ${kind === 'bonus' ? formatNumber(left) : formatMoney(left)} в строках, которые останутся`}</Fine>
            )}
          </li>
        ))}
      </ul>
    </Block>
  )
}

function Reasons({ reasons }: { reasons: Seen['reasons'] }) {
  if (reasons.length === 0) return null
  return (
    <section aria-label="Замечания по строкам">
      <h3 className={classes.title}>Почему</h3>
      <ul className={classes.reasons}>
        {reasons.slice(0, 12).map(({ field, message, rows, isError }) => (
          <li key={`${field} ${message}`}>
            <span className={isError ? classes.left : undefined}>
              {field && !message.startsWith(field) ? `${field}: ${message}` : message}
            </span>
            <Fine>{counted(rows, rowForms)}</Fine>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Rows({ seen: { rows, columns } }: { seen: Seen }) {
  const used = columns.filter(({ name }) => rows.some(({ values }) => values[name]))
  if (rows.length === 0) return <Muted>Таких строк нет</Muted>
  const told = rows.some(({ notes }) => notes.length > 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className={classes.frame} aria-label="Первые строки" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>№</th>
            {told && <th>Замечания</th>}
            {used.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ row, values, notes }) => (
            <tr key={row}>
              <td className="tabular">{row}</td>
              {told && (
                <td className={classes.notes}>
                  {notes.map(({ field, message, error }) => (
                    <div key={`${field} ${message}`} className={error ? classes.left : undefined}>
                      {field && !message.startsWith(field) ? `${field}: ${message}` : message}
                    </div>
                  ))}
                </td>
              )}
              {used.map(({ name }) => (
                <td key={name}>{values[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
