import { Alert, Anchor, Badge, Tabs, VisuallyHidden } from '@mantine/core'
import { holds } from '@ordinator/model/access'
import {
  codeStatuses,
  MdlpCode,
  MdlpDocument,
  mdlpSchemaWords,
  mdlpStatuses,
  recalledBy250,
} from '@ordinator/model/areas/warehouse/mdlp'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconRefresh, IconSignature, IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { PageLink } from '#base/PageLink.tsx'
import type { Search } from '#base/redirect.ts'
import { sendBytes } from '#base/sendBytes.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useFileInput } from '#kit/FilePicker.tsx'
import { LoadMore } from '#kit/LoadMore.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useEndlessList } from '#records/reads.ts'
import { tellFailure } from '#records/tellFailure.ts'
import { ScanField } from '../ScanField.tsx'
import { TableScroll } from '../TableScroll.tsx'
import { useStock } from '../useCall.ts'
import classes from '../Warehouse.module.css'
import { IncomingPanel } from './IncomingPanel.tsx'
import type { MdlpRow } from './row.ts'
import { SignDialog } from './SignDialog.tsx'

const page = pageByKey('mdlp')
const tabs = {
  in: 'Входящие',
  out: 'Исходящие',
  codes: 'Коды',
  differences: 'Расхождения',
  places: 'Места и схемы',
} as const
const read = (search: Search) => ({ tab: word(tabs, search.tab) })

/** МДЛП: incoming, outgoing, codes, differences, places. */
export default function MdlpPage() {
  const cache = useQueryClient()
  const [{ tab = 'in' }, setAddress] = useAddress(read)
  const mayEdit = holds(useActor(), 'editMdlp')
  const state = useStock(['mdlp', 'state'], (signal) => api('GET /mdlp/state', {}, { signal }), [])
  const [signing, setSigning] = useState<readonly number[]>()
  const sync = useMutation({
    mutationFn: () => api('POST /mdlp/sync', {}, { forbidden: 'toast' }),
    onError: tellFailure,
    onSuccess: async () => {
      notify.success('Спрашиваем МДЛП, новое появится само')
      await invalidateRecords(cache, MdlpDocument.path)
    },
  })
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayEdit && (
            <ActionButton
              label="Обновить"
              variant="default"
              icon={IconRefresh}
              loading={sync.isPending}
              onClick={() => sync.mutate()}
            />
          )
        }
      />
      <div className={classes.page}>
        {state.data?.mode === 'off' && (
          <Alert color="orange" variant="light">
            МДЛП не подключён: ничего не отправляется и не приходит. Режим и ключи — в{' '}
            <Anchor
              inherit
              c="inherit"
              underline="always"
              renderRoot={(props) => <PageLink {...props} page="warehouseSettings" />}
            >
              настройках склада
            </Anchor>
            .
          </Alert>
        )}
        {state.data && state.data.mode !== 'off' && state.data.needsPerson && !state.data.until && (
          <Alert color="orange" variant="light" title="Вход в МДЛП не выполнен">
            <HStack wrap justify="space-between">
              Документы ждут, новое не приходит. Подпишите вход: он держится полчаса.
              {mayEdit && <ActionButton label="Войти" size="xs" onClick={() => setSigning([])} />}
            </HStack>
          </Alert>
        )}
        {state.data && state.data.mode !== 'off' && state.data.schemas === 0 && (
          <Alert color="orange" variant="light">
            Схем версии {state.data.version ?? '—'} нет: документы уходят без проверки. Загрузите архив XSD во вкладке
            «Места и схемы».
          </Alert>
        )}
        <Tabs
          value={tab}
          onChange={(value) => setAddress({ tab: (value ?? 'in') as keyof typeof tabs })}
          keepMounted={false}
        >
          <Tabs.List>
            {Object.entries(tabs).map(([value, label]) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="in" pt="md">
            <Documents direction="in" mayEdit={mayEdit} onSign={setSigning} />
          </Tabs.Panel>
          <Tabs.Panel value="out" pt="md">
            <Documents direction="out" mayEdit={mayEdit} onSign={setSigning} />
          </Tabs.Panel>
          <Tabs.Panel value="codes" pt="md">
            <Codes mayEdit={mayEdit} />
          </Tabs.Panel>
          <Tabs.Panel value="differences" pt="md">
            <Differences />
          </Tabs.Panel>
          <Tabs.Panel value="places" pt="md">
            <Places />
          </Tabs.Panel>
        </Tabs>
      </div>
      {signing && (
        <SignDialog ids={signing} onDone={() => void state.refetch()} onClose={() => setSigning(undefined)} />
      )}
    </>
  )
}

const tones: Record<string, string> = {
  incoming: 'blue',
  draft: 'blue',
  processed: 'teal',
  failed: 'red',
  stuck: 'red',
  partial: 'orange',
}
const StatusMark = ({ status }: { status: MdlpRow['status'] }) => (
  <Badge color={tones[status] ?? 'gray'} variant="light" miw="max-content">
    {mdlpStatuses[status]}
  </Badge>
)

/** Cancels our documents that МДЛП has not accepted; some accepted ones can be reversed by 250. */
const mayRecall = ({ direction, status, schema }: MdlpRow): boolean =>
  direction === 'out' &&
  (['draft', 'device', 'failed'].includes(status) ||
    (['processed', 'partial'].includes(status) && recalledBy250.has(schema)))

interface DocumentsProps {
  direction: 'in' | 'out'
  mayEdit: boolean
  onSign: (ids: readonly number[]) => void
}

function Documents({ direction, mayEdit, onSign }: DocumentsProps) {
  const cache = useQueryClient()
  const [open, setOpen] = useState<MdlpRow>()
  const [recalled, setRecalled] = useState<MdlpRow>()
  const list = useEndlessList(MdlpDocument, { filter: { direction }, sort: '-dateCreate', limit: 50 })
  const retry = useMutation({
    mutationFn: (id: number) => api('POST /mdlp/documents/:id/retry', { params: { id } }, { forbidden: 'toast' }),
    onError: tellFailure,
    onSuccess: () => invalidateRecords(cache, MdlpDocument.path),
  })
  const unsigned = mayEdit ? list.items.filter(({ status }) => status === 'draft').map(({ id }) => id) : []
  if (list.isError && list.items.length === 0)
    return <ErrorState title="Документы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <LinesSkeleton lines={6} />
  if (list.items.length === 0)
    return (
      <EmptyState
        title="Документов пока нет"
        text={
          direction === 'in'
            ? 'Уведомления об отгрузке приходят сами раз в минуту.'
            : 'Откройте проведённый складской документ и выберите «Сообщить в МДЛП».'
        }
      />
    )
  return (
    <section className={classes.part}>
      {unsigned.length > 1 && (
        <HStack justify="space-between" wrap mb={12}>
          <span>Ждут подписи: {unsigned.length}</span>
          <ActionButton label="Подписать все" icon={IconSignature} onClick={() => onSign(unsigned)} />
        </HStack>
      )}
      <TableScroll label="Документы">
        <table className={`${classes.table} ${classes.stack}`}>
          <thead>
            <tr>
              <th>Документ</th>
              <th>{direction === 'in' ? 'От кого' : 'Кому'}</th>
              <th data-number>Кодов</th>
              <th>Статус</th>
              <th>
                <VisuallyHidden>Действия</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.items.map((row) => (
              <tr key={row.id}>
                <td className={classes.name}>
                  {mdlpSchemaWords[row.schema]}
                  <br />
                  <Muted>
                    {row.schema} · {row.number ? `№ ${row.number}` : 'без номера'}
                    {row.docDate ? ` от ${formatDay(row.docDate)}` : ''} · {formatDateTime(row.dateCreate)}
                  </Muted>
                  {row.errors?.slice(0, 3).map((error) => (
                    <Fine key={error.message + (error.sgtin ?? '')} component="div" c="var(--mantine-color-error)">
                      {error.sgtin ? `${error.sgtin}: ` : ''}
                      {error.message}
                    </Fine>
                  ))}
                </td>
                <td data-label={direction === 'in' ? 'От кого' : 'Кому'}>{row.partner ?? '—'}</td>
                <td data-number data-label="Кодов">
                  {row.codesCount}
                </td>
                <td>
                  <StatusMark status={row.status} />
                </td>
                <td data-number>
                  {row.status === 'incoming' ? (
                    <ActionButton label="Разобрать" size="xs" onClick={() => setOpen(row)} />
                  ) : (
                    <HStack gap={6} justify="end">
                      {mayEdit && row.status === 'draft' && (
                        <ActionButton label="Подписать" size="xs" onClick={() => onSign([row.id])} />
                      )}
                      {mayEdit && row.direction === 'out' && ['failed', 'stuck'].includes(row.status) && (
                        <ActionButton
                          label="Повторить"
                          size="xs"
                          variant="default"
                          onClick={() => retry.mutate(row.id)}
                        />
                      )}
                      {mayEdit && mayRecall(row) && (
                        <ActionButton label="Отменить…" size="xs" variant="default" onClick={() => setRecalled(row)} />
                      )}
                      <ActionButton label="Коды" size="xs" variant="default" onClick={() => setOpen(row)} />
                    </HStack>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {list.hasNextPage && (
        <LoadMore label="Показать ещё" loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
      )}
      {open && <IncomingPanel document={open} onClose={() => setOpen(undefined)} />}
      {recalled && (
        <WordsDialog
          title="Отменить документ МДЛП"
          label="Причина"
          required
          max={200}
          danger
          action="Отменить документ"
          run={async (reason) => {
            const { id } = await api('POST /mdlp/documents/:id/recall', {
              params: { id: recalled.id },
              body: { reason },
            })
            await invalidateRecords(cache, MdlpDocument.path)
            onSign([id])
          }}
          onClose={() => setRecalled(undefined)}
        >
          {mdlpSchemaWords[recalled.schema]}, № {recalled.number ?? 'без номера'}:{' '}
          {['processed', 'partial'].includes(recalled.status)
            ? 'уйдёт отмена 250, и МДЛП вернёт коды на прежнее место.'
            : 'МДЛП его не принял, коды останутся как были.'}
        </WordsDialog>
      )}
    </section>
  )
}

function Codes({ mayEdit }: { mayEdit: boolean }) {
  const cache = useQueryClient()
  const list = useEndlessList(MdlpCode, { expand: ['product', 'warehouse'], sort: '-id', limit: 50 })
  return (
    <VStack gap={12}>
      {mayEdit && (
        <ScanField
          label="Вскрыть короб: сканируйте SSCC"
          onCode={async (code) => {
            await api('POST /mdlp/boxes/open', { body: { code } })
            await invalidateRecords(cache, MdlpDocument.path)
            return 'Документ 912 ждёт подписи: «Исходящие»'
          }}
        />
      )}
      {list.isPending ? (
        <LinesSkeleton lines={6} />
      ) : list.items.length === 0 ? (
        <EmptyState title="Кодов пока нет" text="Они появятся с первой приёмкой маркированного товара." />
      ) : (
        <section className={classes.part}>
          <TableScroll label="Коды">
            <table className={`${classes.table} ${classes.stack}`}>
              <thead>
                <tr>
                  <th>SGTIN</th>
                  <th>Товар</th>
                  <th>У нас</th>
                  <th>В МДЛП</th>
                  <th>Где</th>
                </tr>
              </thead>
              <tbody>
                {list.items.map((row) => (
                  <tr key={row.id}>
                    <td>
                      <code>{row.sgtin}</code>
                      {row.sscc && (
                        <>
                          <br />
                          <Muted>короб {row.sscc}</Muted>
                        </>
                      )}
                    </td>
                    <td className={classes.name}>
                      {row.product?.nameService ?? <Muted>нет в каталоге</Muted>}
                      <br />
                      <Muted>
                        {row.series && `серия ${row.series}`} {row.expiry && `до ${formatDay(row.expiry)}`}
                      </Muted>
                    </td>
                    <td data-label="У нас">{codeStatuses[row.status]}</td>
                    <td
                      data-label="В МДЛП"
                      style={
                        row.theirStatus && row.theirStatus !== row.status
                          ? { color: 'var(--mantine-color-error)' }
                          : undefined
                      }
                    >
                      {row.theirStatus ? codeStatuses[row.theirStatus] : <Muted>не спрошено</Muted>}
                    </td>
                    <td data-label="Где">{row.warehouse?.name ?? <Muted>—</Muted>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
          {list.hasNextPage && (
            <LoadMore label="Показать ещё" loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          )}
        </section>
      )}
    </VStack>
  )
}

function Differences() {
  const found = useStock(['mdlp', 'differences'], (signal) => api('GET /mdlp/differences', {}, { signal }), [
    MdlpCode.path,
  ])
  if (!found.data)
    return found.isError ? (
      <ErrorState title="Расхождения не загрузились" error={found.error} onRetry={() => void found.refetch()} />
    ) : (
      <LinesSkeleton lines={4} />
    )
  if (found.data.items.length === 0)
    return <EmptyState title="Расхождений нет" text="Раз в сутки состояния кодов сверяются с МДЛП." />
  return (
    <section className={classes.part}>
      <TableScroll label="Расхождения: таблица">
        <table className={classes.table}>
          <thead>
            <tr>
              <th>SGTIN</th>
              <th>Товар</th>
              <th>У нас</th>
              <th>В МДЛП</th>
              <th>Склад</th>
            </tr>
          </thead>
          <tbody>
            {found.data.items.map((row) => (
              <tr key={row.id}>
                <td>
                  <code>{row.sgtin}</code>
                </td>
                <td className={classes.name}>{row.product ?? '—'}</td>
                <td>{codeStatuses[row.ours]}</td>
                <td>{codeStatuses[row.theirs]}</td>
                <td>{row.warehouse ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

function Places() {
  const found = useStock(['mdlp', 'state'], (signal) => api('GET /mdlp/state', {}, { signal }), [])
  const maySet = holds(useActor(), 'mainSettings')
  const version = found.data?.version ?? '1.37'
  const load = useMutation({
    mutationFn: (file: File) =>
      sendBytes<{ version: string; files: number }>('POST /mdlp/schemas', { query: { version } }, file),
    onError: tellFailure,
    onSuccess: ({ files }) => {
      notify.success(`Загружено схем: ${files}`)
      void found.refetch()
    },
  })
  const [input, choose] = useFileInput({ onFiles: ([file]) => file && load.mutate(file) })
  if (!found.data) return <LinesSkeleton lines={4} />
  return (
    <section className={classes.part}>
      {input}
      <HStack justify="space-between" wrap mb={12}>
        <span>
          Схемы версии {version}: {found.data.schemas > 0 ? `${found.data.schemas} файлов` : 'не загружены'}
        </span>
        {maySet && (
          <ActionButton
            label="Загрузить архив XSD"
            variant="default"
            icon={IconUpload}
            loading={load.isPending}
            onClick={choose}
          />
        )}
      </HStack>
      <TableScroll label="Места деятельности">
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Склад</th>
              <th>Место деятельности</th>
            </tr>
          </thead>
          <tbody>
            {found.data.places.map((row) => (
              <tr key={row.idWarehouse}>
                <td>{row.name}</td>
                <td>{row.place ?? <Muted>не указано: впишите в настройках склада или филиала</Muted>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}
