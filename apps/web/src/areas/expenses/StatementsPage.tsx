import { Alert, Badge, Select } from '@mantine/core'
import { BankStatement, Expense, StatementLine, statementStates } from '@ordinator/model/areas/expenses/expense'
import { Filial } from '@ordinator/model/areas/filials/filial'
import { PayerRegistry } from '@ordinator/model/areas/payers/registry'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconCash, IconReceipt2, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import type { Search } from '#base/redirect.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FilePicker } from '#kit/FilePicker.tsx'
import { notify } from '#kit/notify.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import classes from './Expenses.module.css'

const page = pageByKey('statements')
const MAX_LINES = 200
const MAX_SIZE = 10_485_760
const states = { ...statementStates, all: 'Все операции' } as const
const read = (search: Search) => ({ state: word(states, search.state) })

type Line = Row<typeof StatementLine>

/** Выписки банка: operations of the bank, matched with expenses. */
export default function StatementsPage() {
  const cache = useQueryClient()
  const mayEdit = useCan('update', Expense)
  const [{ state = 'new' }, setAddress] = useAddress(read)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const refresh = () =>
    Promise.all(
      [BankStatement, StatementLine, Expense, PayerRegistry].map(({ path }) => invalidateRecords(cache, path)),
    )
  const lines = useList(StatementLine, {
    ...(state !== 'all' && { filter: { state } }),
    sort: '-localDate',
    limit: MAX_LINES,
  })
  const upload = async ([file]: File[]) => {
    if (!file) return
    setBusy(true)
    try {
      const { added, repeated, matched, problems } = await api('POST /expenses/statements/upload', {
        query: { name: file.name },
        body: new Blob([file], { type: 'application/octet-stream' }),
      })
      setProblems(problems)
      notify.success(
        `Новых операций: ${added}, оплатили расходы: ${matched}${repeated ? `, уже были: ${repeated}` : ''}`,
        { title: 'Выписка загружена' },
      )
      await refresh()
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Выписка не загружена' })
    }
    setBusy(false)
  }
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayEdit && (
            <FilePicker onFiles={(files) => void upload(files)} maxSize={MAX_SIZE} extensions={['txt']} disabled={busy}>
              Загрузить выписку
            </FilePicker>
          )
        }
      >
        <FamilyTabs page={page} />
        <Select
          aria-label="Какие операции"
          allowDeselect={false}
          data={Object.entries(states).map(([value, label]) => ({ value, label }))}
          value={state}
          onChange={(value) => setAddress({ state: value === 'new' ? undefined : (value as keyof typeof states) })}
        />
      </PageHead>
      <VStack gap={12} px="var(--ord-page)" pb="var(--ord-page)">
        {problems.length > 0 && (
          <Alert
            color="yellow"
            variant="light"
            title="Не всё прочиталось"
            withCloseButton
            onClose={() => setProblems([])}
          >
            <ul>
              {problems.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Alert>
        )}
        {lines.isError ? (
          <ErrorState error={lines.error} onRetry={() => void lines.refetch()} />
        ) : !lines.data ? (
          <LinesSkeleton lines={8} />
        ) : lines.data.items.length === 0 ? (
          <EmptyState
            title={state === 'new' ? 'Разбирать нечего' : 'Операций нет'}
            text="Загрузите выписку из банк-клиента в формате 1С: оплаты согласованных расходов и реестров плательщикам найдутся сами."
          />
        ) : (
          <VStack component="ul" gap={8}>
            {lines.data.items.map((line) => (
              <Operation key={line.id} line={line} mayEdit={mayEdit} onDone={refresh} />
            ))}
          </VStack>
        )}
        {lines.data?._meta.hasMore && (
          <Fine>Показаны последние {counted(MAX_LINES, ['операция', 'операции', 'операций'])}</Fine>
        )}
      </VStack>
    </>
  )
}

function Operation({ line, mayEdit, onDone }: { line: Line; mayEdit: boolean; onDone: () => Promise<unknown> }) {
  const [asked, setAsked] = useState(false)
  const ignore = () =>
    api('POST /expenses/statement-lines/:id/sort', { params: { id: line.id }, body: { as: 'ignored' } })
      .catch(notifyFailure)
      .finally(() => void onDone())
  return (
    <li className={classes.operation}>
      <div>
        <span>{line.party ?? 'Без контрагента'}</span>
        <Fine component="p">{line.purpose}</Fine>
        <Fine component="p">
          {formatDay(line.localDate)}
          {line.number && ` · № ${line.number}`}
          {line.inn && ` · ИНН ${line.inn}`}
        </Fine>
      </div>
      <span className="tabular">
        {line.isIncoming ? '+' : '−'}
        {formatMoney(line.sum)}
      </span>
      <HStack gap={8}>
        {line.state === 'new' && mayEdit ? (
          <>
            <ActionButton
              label={line.isIncoming ? 'Оплата реестра' : 'Это расход'}
              icon={line.isIncoming ? IconCash : IconReceipt2}
              size="compact-md"
              onClick={() => setAsked(true)}
            />
            <ActionButton
              label={line.isIncoming ? 'Другое поступление' : 'Не расход'}
              icon={IconX}
              size="compact-md"
              variant="subtle"
              onClick={() => void ignore()}
            />
          </>
        ) : (
          <Badge variant="light" color={line.state === 'matched' ? 'teal' : 'gray'}>
            {line.idRegistry ? 'Оплачен реестр' : line.isIncoming ? 'Поступление' : statementStates[line.state]}
          </Badge>
        )}
      </HStack>
      {asked && line.isIncoming && <RegistryDialog line={line} onDone={onDone} onClose={() => setAsked(false)} />}
      {asked && !line.isIncoming && <SortDialog line={line} onDone={onDone} onClose={() => setAsked(false)} />}
    </li>
  )
}

interface SortProps {
  line: Line
  onDone: () => Promise<unknown>
  onClose: () => void
}

/** Books what a payer has paid to the registry that it pays. */
function RegistryDialog({ line, onDone, onClose }: SortProps) {
  const [idRegistry, setRegistry] = useState<number | null>(null)
  const run = async () => {
    await api('POST /expenses/statement-lines/:id/sort', {
      params: { id: line.id },
      body: { as: 'registry', idRegistry: idRegistry as number },
    })
    await onDone()
  }
  return (
    <ActionDialog
      title={`${formatMoney(line.sum)}, ${line.party ?? ''}`}
      action="Провести оплату"
      faults={{ idRegistry: idRegistry === null && 'Выберите реестр' }}
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Muted>{line.purpose}</Muted>
          <RefSelect
            label="Реестр плательщику"
            required
            to={PayerRegistry.path}
            filter={{ state: 'sent' }}
            value={idRegistry}
            error={errorOf('idRegistry')}
            onChange={setRegistry}
          />
        </>
      )}
    </ActionDialog>
  )
}

/** Matches an operation with a pending expense, or creates one. */
function SortDialog({ line, onDone, onClose }: SortProps) {
  const [idExpense, setExpense] = useState<number | null>(null)
  const [idArticle, setArticle] = useState<number | null>(null)
  const [idFilial, setFilial] = useState<number | null>(null)
  const run = async () => {
    await api('POST /expenses/statement-lines/:id/sort', {
      params: { id: line.id },
      body: idExpense
        ? { as: 'expense', idExpense }
        : { as: 'new', idArticle: idArticle as number, idFilial: idFilial ?? null },
    })
    await onDone()
  }
  return (
    <ActionDialog
      title={`${formatMoney(line.sum)}, ${line.party ?? ''}`}
      action="Провести"
      faults={{ idArticle: idExpense === null && idArticle === null && 'Выберите статью нового расхода' }}
      run={run}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <RefSelect
            label="Согласованный расход на ту же сумму"
            description="Если он есть"
            to={Expense.path}
            filter={{ status: 'approved', sum: line.sum }}
            value={idExpense}
            error={errorOf('idExpense')}
            onChange={setExpense}
          />
          {idExpense === null && (
            <>
              <Muted>Или новый расход:</Muted>
              <RefSelect
                label="Статья"
                to="expenses/articles"
                value={idArticle}
                error={errorOf('idArticle')}
                onChange={setArticle}
              />
              <RefSelect
                label="Филиал"
                description="Пусто — вся клиника"
                to={Filial.path}
                value={idFilial}
                onChange={setFilial}
              />
            </>
          )}
        </>
      )}
    </ActionDialog>
  )
}
