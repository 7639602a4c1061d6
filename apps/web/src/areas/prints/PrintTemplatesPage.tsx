import { PrintTemplate, printed, printKinds } from '@ordinator/model/areas/prints/printTemplate'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { IconCopyPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { invalidateRecords } from '#records/keys.ts'
import { notifyFailure } from '#records/notifyFailure.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'

type Line = Row<typeof PrintTemplate>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'name', width: 380 },
  { key: 'entity', width: 170, cell: ({ entity }) => printed[entity] },
  { key: 'kind', width: 120, cell: ({ kind }) => printKinds[kind] },
  {
    key: 'isInForce',
    label: 'Печать',
    width: 200,
    cell: ({ isInForce, isActive, validFrom, validTo }) =>
      isInForce ? (
        validTo ? (
          `до ${formatDay(validTo)}`
        ) : (
          'предлагается'
        )
      ) : (
        <Muted>
          {isActive ? (validTo ? `закончилась ${formatDay(validTo)}` : `с ${formatDay(validFrom)}`) : 'выключена'}
        </Muted>
      ),
  },
  { key: 'filials', label: 'Филиалы', width: 180 },
  { key: 'dateChange', width: 150 },
]

const printFilters = filters(PrintTemplate, {
  entity: choice('entity', { any: 'Для чего угодно' }),
  kind: choice('kind', { any: 'Любой вид' }),
})

/** Шаблоны печати: the list of templates. */
export default function PrintTemplatesPage() {
  return (
    <RegistryPage
      page={pageByKey('printTemplates')}
      entity={PrintTemplate}
      columns={columns}
      filters={printFilters}
      tools={<ReadyButton />}
      isMuted={({ isInForce }) => !isInForce}
      pageOf={(id) => pagePath('printTemplate', { id })}
    />
  )
}

/** Adds the built-in templates that the clinic lacks. */
function ReadyButton() {
  const cache = useQueryClient()
  const mayCreate = useCan('create', PrintTemplate)
  const add = useMutation({
    mutationFn: () => api('POST /print-templates/ready', {}, { forbidden: 'toast' }),
    onSuccess: async ({ added }) => {
      await invalidateRecords(cache, PrintTemplate.path)
      if (added === 0) notify.success('Все готовые шаблоны уже есть')
      else notify.success(`Добавлено: ${counted(added, ['шаблон', 'шаблона', 'шаблонов'])}`)
    },
    onError: notifyFailure,
  })
  if (!mayCreate) return null
  return (
    <ActionButton
      label="Добавить готовые"
      variant="default"
      icon={IconCopyPlus}
      loading={add.isPending}
      onClick={() => add.mutate()}
    />
  )
}
