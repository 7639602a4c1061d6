import type { Page } from '../../page.ts'

/** Pages of this area; the model’s `pages.ts` adds them to the list. */
export const planPages = [
  {
    key: 'customerPlans',
    path: 'reports/customer-plans',
    title: 'Планы лечения',
    help: 'Что предложено и согласовано, сколько выполнено и оплачено, кто давно не приходил',
    section: 'clients',
    icon: 'plans',
    any: ['viewPlans', 'viewCustomerPlansReport'],
    menu: true,
    entity: 'customer-plans',
    makes: { label: 'Новый план лечения', any: ['editPlans'] },
  },
  {
    key: 'customerPlan',
    path: 'customer-plans/:id',
    title: 'План лечения',
    help: 'Этапы, услуги и цены одного плана, его согласование и запись по нему',
    section: 'clients',
    icon: 'plans',
    any: ['viewPlans', 'viewCustomerPlansReport'],
  },
] as const satisfies readonly Page[]
