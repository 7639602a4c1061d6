import { randomUUID } from 'node:crypto'
import { type Clinic, expect, fits, phone, signIn, test } from './support.ts'

const M = '/regulations/model'

/** A regulation of this test, in force. */
async function inForce(clinic: Clinic, body: object): Promise<{ id: number; name: string }> {
  const name = `Порядок-${randomUUID().slice(0, 8)}`
  const made = await clinic.call('POST', `${M}/create`, { name, ...body })
  for (const to of ['review', 'approved', 'active']) await clinic.call('POST', `${M}/transition?id=${made.id}`, { to })
  return { id: made.id, name }
}

const stages = [
  { title: 'Подготовить место', description: '<p>Надеть перчатки</p>', timeEstimate: 10 },
  { title: 'Взять пробу', importance: 'high' },
  { title: 'Подписать пробирку', status: 'optional' },
]

const TEST = {
  questions: [
    {
      text: 'Что надеть?',
      options: [
        { text: 'Перчатки', isRight: true },
        { text: 'Шляпу', isRight: false },
      ],
    },
    {
      text: 'Что подписать?',
      options: [
        { text: 'Пробирку', isRight: true },
        { text: 'Направление', isRight: true },
        { text: 'Стену', isRight: false },
      ],
    },
  ],
}

test('a reader passes the test, and the author sees it', async ({ page, clinic, visitor }) => {
  const writer = await clinic.person({ roles: ['Полный доступ'] })
  const reader = await clinic.person()
  const { id, name } = await inForce(clinic, { stages, test: TEST, passScore: 80 })
  await clinic.call('POST', `${M}/set-audience?id=${id}`, { roles: [], idUsers: [reader.id, writer.id] })

  await signIn(page, reader)
  await page.goto(`/app/regulations?id=${id}`)
  const viewer = page.getByRole('dialog', { name })
  await expect(viewer.getByText(/Ознакомьтесь до/)).toBeVisible()
  await expect(viewer.getByRole('tab', { name: 'Ознакомление' })).toBeHidden()
  await viewer.getByRole('button', { name: 'Пройти тест' }).click()
  const form = page.getByRole('dialog', { name: `Тест: ${name}` })
  await form.getByRole('radio', { name: 'Перчатки' }).check()
  await form.getByRole('button', { name: 'Проверить' }).click()
  await expect(form.getByText('Выберите ответ')).toBeVisible()
  await form.getByRole('checkbox', { name: 'Пробирку' }).check()
  await form.getByRole('button', { name: 'Проверить' }).click()
  await expect(form.getByText('Тест не пройден')).toBeVisible()
  await form.getByRole('button', { name: 'Пройти ещё раз' }).click()
  await form.getByRole('radio', { name: 'Перчатки' }).check()
  for (const name of ['Пробирку', 'Направление']) await form.getByRole('checkbox', { name }).check()
  await form.getByRole('button', { name: 'Проверить' }).click()
  await expect(form.getByText('Тест пройден')).toBeVisible()
  await form.getByRole('button', { name: 'Готово' }).click()
  await expect(viewer.getByText(/Вы ознакомились .*тест 100 %/)).toBeVisible()

  const desk = await visitor()
  await signIn(desk, writer)
  await desk.goto(`/app/regulations?id=${id}`)
  await desk.getByRole('tab', { name: 'Ознакомление' }).click()
  await expect(desk.getByText('Ознакомились 1 из 2')).toBeVisible()
  const readers = desk.getByRole('list', { name: 'Читатели' })
  await expect(readers.getByRole('listitem').filter({ hasText: 'тест 100 %, попыток: 2' })).toHaveCount(1)
  await desk.getByRole('button', { name: 'Напомнить всем' }).click()
  await expect(desk.getByRole('alert').filter({ hasText: 'Напомнили: 1 сотруднику' })).toBeVisible()
  await phone(desk)
  await fits(desk)
})

test('a regulation is carried out step by step, and goes on after a reload', async ({ page, clinic }) => {
  const walker = await clinic.person({ roles: ['Полный доступ'] })
  const { id, name } = await inForce(clinic, { stages })
  await signIn(page, walker)
  await page.goto(`/app/regulations?id=${id}`)
  await page.getByRole('button', { name: 'Выполнить' }).click()
  const run = page.getByRole('dialog', { name: 'Выполнение регламента' })
  const now = run.locator('[aria-current="step"]')
  await expect(now).toContainText('1. Подготовить место')
  await expect(now).toContainText('Надеть перчатки')

  await now.getByRole('button', { name: 'Готово' }).click()
  await expect(now).toContainText('2. Взять пробу')
  await page.reload()
  await expect(now).toContainText('2. Взять пробу')
  await now.getByLabel('Примечание').fill('Нет пробирок')
  await now.getByRole('button', { name: 'Не удалось' }).click()
  await expect(now).toContainText('3. Подписать пробирку')
  await run.getByRole('button', { name: 'Вернуть отметку шага 2' }).click()
  await expect(now).toContainText('2. Взять пробу')
  await now.getByRole('button', { name: 'Не удалось' }).click()
  await phone(page)
  await fits(page)
  await now.getByRole('button', { name: 'Пропустить' }).click()
  await run.getByRole('button', { name: 'Завершить' }).click()
  await expect(run.getByText('Завершён')).toBeVisible()
  await expect(run.getByRole('list', { name: 'Нарушения' })).toContainText('Шаг 2: Шаг не выполнен: Нет пробирок')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await expect(run).toBeHidden()

  const viewer = page.getByRole('dialog', { name })
  await viewer.getByRole('tab', { name: 'Нарушения' }).click()
  await viewer.getByRole('button', { name: 'Объяснить' }).click()
  const words = page.getByRole('dialog', { name: 'Объяснение нарушения' })
  await words.getByLabel('Что произошло').fill('Пробирки не привезли')
  await words.getByRole('button', { name: 'Отправить' }).click()
  await expect(viewer.getByText('Пробирки не привезли')).toBeVisible()
  await viewer.getByRole('button', { name: 'Состояние: Есть объяснение' }).click()
  await page.getByRole('menuitem', { name: 'Подтверждено' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Подтвердить нарушение' })
  await confirmation.getByLabel('Удержание').fill('500')
  await confirmation.getByRole('button', { name: 'Подтвердить' }).click()
  await expect(viewer.getByRole('button', { name: 'Состояние: Подтверждено' })).toBeVisible()
  await viewer.getByRole('tab', { name: 'Выполнения' }).click()
  await expect(viewer.getByRole('list', { name: 'Выполнения' }).getByRole('listitem')).toContainText('3 из 3')

  // Another one is noted by hand, and found by its level.
  await viewer.getByRole('tab', { name: 'Нарушения' }).click()
  await viewer.getByRole('button', { name: 'Отметить нарушение' }).click()
  const noting = page.getByRole('dialog', { name: 'Отметить нарушение' })
  const [surname = ''] = walker.fio.split(' ')
  await noting.getByRole('combobox', { name: 'Сотрудник' }).fill(surname)
  await page.getByRole('option').filter({ hasText: surname }).click()
  await noting.getByRole('combobox', { name: 'Тяжесть' }).click()
  await page.getByRole('option', { name: 'Среднее', exact: true }).click()
  await noting.getByLabel('Что нарушено').fill('Журнал не заполнен')
  await noting.getByRole('button', { name: 'Отметить', exact: true }).click()
  await expect(noting).toHaveCount(0)
  await viewer.getByRole('combobox', { name: 'Тяжесть' }).click()
  await page.getByRole('option', { name: 'Среднее', exact: true }).click()
  await expect(viewer.getByText('Журнал не заполнен')).toBeVisible()
  await expect(viewer.getByText('Пробирки не привезли')).toHaveCount(0)

  // The report counts both and the deduction, and opens it to its row.
  await page.goto('/app/reports?tab=violations&by=regulation')
  const figure = (words: string) => page.getByRole('link', { name: new RegExp(`^${name}: ${words}, показать строки$`) })
  await expect(figure('Нарушений: 2')).toBeVisible()
  await expect(figure('Подтверждено: 1')).toBeVisible()
  await figure('Удержано: 500,00.₽').click()
  await expect(page.getByRole('dialog').getByRole('table')).toContainText('Пробирки не привезли')
})

test('a run is read by another user, who cannot mark it', async ({ page, clinic, visitor }) => {
  const walker = await clinic.person()
  const { id } = await inForce(clinic, { stages })
  await signIn(page, walker)
  await page.goto(`/app/regulations?id=${id}`)
  await page.getByRole('button', { name: 'Выполнить' }).click()
  const run = page.getByRole('dialog', { name: 'Выполнение регламента' })
  await expect(run.getByText('0 из 3')).toBeVisible()
  const other = await visitor()
  await clinic.enter(other)
  await other.goto(page.url())
  const watched = other.getByRole('dialog', { name: 'Выполнение регламента' })
  await expect(watched.getByText('0 из 3')).toBeVisible()
  await expect(watched.getByRole('button', { name: 'Готово' })).toBeHidden()
  await run.getByRole('button', { name: 'Готово' }).click()
  await expect(watched.getByText('1 из 3')).toBeVisible()
})

test('a regulation is carried out for a task', async ({ page, clinic }) => {
  const walker = await clinic.person({ roles: ['Полный доступ'] })
  const { name } = await inForce(clinic, { stages })
  const board = await clinic.call('POST', '/tasks-management/boards', { name: 'Обход' })
  await clinic.call('POST', '/tasks-management/members', {
    idBoard: board.id,
    idUser: walker.id,
    permissionToViewTasks: 'all',
    permissionToEditTasks: 'all',
  })
  const { items } = await clinic.call('GET', `/tasks-management/columns?filter[idBoard]=${board.id}`)
  const task = await clinic.call('POST', '/tasks-management/tasks', { name: 'Обойти пост', idColumn: items[0].id })
  const cards = await clinic.call('GET', `/tasks-management/assigned?filter[idTask]=${task.id}`)
  await signIn(page, walker)
  await page.goto(`/app/tasks?board=${board.id}&assignedColumn=${cards.items[0].id}`)
  const section = page.getByRole('region', { name: 'Регламенты' })
  await section.getByRole('button', { name: 'Выполнить' }).click()
  await section.getByRole('combobox', { name: 'Какой регламент выполнить' }).fill(name)
  await page.getByRole('option', { name }).click()
  const run = page.getByRole('dialog', { name: 'Выполнение регламента' })
  await expect(run).toContainText('Задача: Обойти пост')
  await run.getByRole('button', { name: 'Готово' }).click()
  await expect(run.getByText('1 из 3')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(run).toBeHidden()
  await expect(section.getByRole('listitem')).toContainText('1 из 3')
  await section.getByRole('button', { name }).click()
  await expect(run).toContainText('2. Взять пробу')
})
