import { MetrikaCounter, MetrikaGoal } from '@ordinator/model/areas/metrika/metrika'
import type { Records } from '#records/records.ts'
import { simulatedGoals } from './simulated.ts'

const NUMBER = '45871230'
const events = ['appeal', 'none', 'appointment', 'none'] as const

/** A counter of the clinic's site with its goals, served by the simulator. */
export async function demo(records: Records): Promise<void> {
  const { id } = await records.asSystem.create(MetrikaCounter, { name: 'Сайт клиники', number: NUMBER })
  for (const [at, { goalId, name }] of simulatedGoals(NUMBER).entries())
    await records.asSystem.create(MetrikaGoal, {
      idCounter: id,
      goalId,
      name,
      crmEvent: events[at] ?? 'none',
      target: `goal_${at + 1}`,
    })
  await records.asSystem.create(MetrikaGoal, {
    idCounter: id,
    goalId: '99001',
    name: 'Оплата в клинике',
    crmEvent: 'payment',
    target: 'clinic_payment',
    sendValue: true,
  })
}
