import { Service } from '@ordinator/model/areas/catalogue/service'
import { formatMoney } from '@ordinator/model/format'
import { recordsWith } from '#base/client.ts'
import { AJAX_LIMIT, type AjaxOption } from '#kit/useAjaxOptions.ts'

/** Active services and products by name, code or article, as select options. */
export async function searchServices(text: string, signal: AbortSignal): Promise<AjaxOption[]> {
  const filter = {
    active: true,
    or: (['nameService', 'shortNameService', 'code', 'article'] as const).map((field) => ({
      [field]: { ilike: text },
    })),
  }
  const { items } = await quiet.list(
    Service,
    { filter, limit: AJAX_LIMIT, sort: ['nameService', 'id'], fields: ['nameService', 'currentPrice', 'code'] },
    { signal },
  )
  return items.map(({ id, nameService, currentPrice, code }) => ({
    value: id,
    label: nameService,
    hint: [code, currentPrice === null ? 'без цены' : formatMoney(currentPrice)].filter(Boolean).join(' · '),
  }))
}

const quiet = recordsWith({ forbidden: 'silent' })
