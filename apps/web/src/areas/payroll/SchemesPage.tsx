import { PayScheme } from '@ordinator/model/areas/payroll/payroll'
import { type PayRule, ruleName, ruleText } from '@ordinator/model/areas/payroll/rules'
import type { Expanded } from '@ordinator/model/client'
import { formatDay } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { FormPart } from '#kit/FormPart.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { RulesField } from './RulesField.tsx'

type Line = Expanded<typeof PayScheme, 'user' | 'filial'>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'name', width: 230 },
  {
    key: 'idUser',
    label: 'Кому',
    width: 210,
    cell: ({ user, post }) => (user ? <UserLink user={user} /> : <span>Все: {post}</span>),
  },
  { key: 'idFilial', width: 170, cell: ({ filial }) => filial?.nameFilial ?? <Muted>Все филиалы</Muted> },
  {
    key: 'rules',
    label: 'Правила',
    width: 420,
    cell: ({ rules }) => <span title={wordsOf(rules)}>{wordsOf(rules)}</span>,
  },
  {
    key: 'dateFrom',
    label: 'Действует',
    width: 190,
    cell: ({ dateFrom, dateTo }) => `с ${formatDay(dateFrom)}${dateTo ? ` по ${formatDay(dateTo)}` : ''}`,
  },
]

const wordsOf = (rules: readonly PayRule[] | null): string =>
  (rules ?? []).map((rule) => `${ruleName(rule)}: ${ruleText(rule)}`).join('; ') || 'Правил нет'

/** Схемы оплаты: pay schemes of people and posts. */
export default function SchemesPage() {
  return (
    <RegistryPage
      page={pageByKey('payrollSchemes')}
      entity={PayScheme}
      expand={['user', 'filial']}
      columns={columns}
      wide
      copyOf={({ name, idFilial, accrual, over, rules, post, idUser }) => ({
        ...{ name, idFilial, accrual, over, rules, post, idUser },
      })}
      form={(scheme) => (
        <VStack gap={16}>
          <FormPart title="Кому">
            <RecordField name="name" autoFocus={!scheme} />
            <RecordField name="idUser" />
            <RecordField name="post" />
            <RecordField name="idFilial" />
          </FormPart>
          <FormPart title="Когда">
            <RecordField name="dateFrom" readOnly={scheme?.isUsed} />
            <RecordField name="dateTo" />
            <RecordField name="accrual" readOnly={scheme?.isUsed} />
            <RecordField name="over" readOnly={scheme?.isUsed} />
          </FormPart>
          <FormPart title="За что">
            <div data-wide>
              <RecordField
                name="rules"
                input={RulesField}
                readOnly={scheme?.isUsed}
                help={scheme?.isUsed ? 'По схеме закрыт месяц: закончите её и сделайте копию' : undefined}
              />
            </div>
          </FormPart>
          <FormPart title="Примечание">
            <div data-wide>
              <RecordField name="note" />
            </div>
          </FormPart>
        </VStack>
      )}
    />
  )
}
