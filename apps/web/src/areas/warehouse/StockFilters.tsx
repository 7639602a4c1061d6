import { Select } from '@mantine/core'
import { RefSelect } from '#records/fields/RefSelect.tsx'

export const onlyWords = {
  low: 'Ниже минимума',
  expiring: 'Срок до 90 дней',
  expired: 'Срок истёк',
  consumable: 'Расходные материалы норм',
  pku: 'Предметно-количественный учёт',
} as const

interface Filters {
  warehouse?: number | undefined
  group?: number | undefined
  only?: keyof typeof onlyWords | undefined
}

/** Filters of balances: the warehouse, the group of products, and which of them. */
export function StockFilters({
  warehouse,
  group,
  only,
  clearable = true,
  onChange,
}: Filters & {
  /** All products may be shown. */
  clearable?: boolean
  onChange: (patch: Filters) => void
}) {
  return (
    <>
      <div style={{ width: 200 }}>
        <RefSelect
          to="warehouses"
          filter={{ active: true }}
          aria-label="Склад"
          placeholder="Все склады"
          value={warehouse ?? null}
          onChange={(value) => onChange({ warehouse: value ?? undefined })}
        />
      </div>
      <div style={{ width: 200 }}>
        <RefSelect
          to="services-groups"
          filter={{ servicesGroupsType: 1 }}
          aria-label="Группа"
          placeholder="Все группы"
          value={group ?? null}
          onChange={(value) => onChange({ group: value ?? undefined })}
        />
      </div>
      <Select
        aria-label="Какие товары"
        placeholder="Все товары"
        clearable={clearable}
        w={230}
        data={Object.entries(onlyWords).map(([value, label]) => ({ value, label }))}
        value={only ?? null}
        onChange={(value) => onChange({ only: (value ?? undefined) as Filters['only'] })}
      />
    </>
  )
}
