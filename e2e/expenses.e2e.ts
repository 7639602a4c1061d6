import { randomUUID } from 'node:crypto'
import { dayIn } from '@ordinator/model/zone'
import { expect, test, title, toast } from './support.ts'

/** A bank statement in the 1C exchange format, in UTF-8. */
const statement = (
  account: string,
  day: string,
  paid: readonly { number: string; sum: string; inn: string; name: string }[],
) =>
  Buffer.from(
    [
      '1CClientBankExchange',
      'ВерсияФормата=1.03',
      'Кодировка=UTF-8',
      `РасчСчет=${account}`,
      ...paid.flatMap(({ number, sum, inn, name }) => [
        'СекцияДокумент=Платежное поручение',
        `Номер=${number}`,
        `Дата=${day}`,
        `Сумма=${sum}`,
        `ПлательщикСчет=${account}`,
        'ПолучательСчет=40702810000000000002',
        `ПолучательИНН=${inn}`,
        `Получатель1=${name}`,
        `ДатаСписано=${day}`,
        'НазначениеПлатежа=Оплата по счёту',
        'КонецДокумента',
      ]),
      'КонецФайла',
    ].join('\r\n'),
  )

/** A statement pays the matching expense; an unmatched payment becomes an expense of an article, by hand. */
test('a statement of the bank is loaded: one operation pays an expense, another becomes one', async ({
  page,
  clinic,
}) => {
  const mark = randomUUID().slice(0, 6)
  const account = '40702810938000000001'
  // An operation is known by its number: those of another run are others.
  const number = Date.now()
  const article = await clinic.call('POST', '/expenses/articles', { name: `Материалы ${mark}`, kind: 'variable' })
  const day = dayIn('Europe/Moscow', Date.now())
  const contractor = await clinic.call('POST', '/organizations', {
    shortName: `Поставщик ${mark}`,
    kind: 'supplier',
    inn: '7707083893',
  })
  const known = await clinic.call('POST', '/expenses', {
    localDate: day,
    idArticle: article.id,
    purpose: `Перчатки ${mark}`,
    sum: 777.5,
    idContractor: contractor.id,
  })
  await clinic.call('POST', `/expenses/${known.id}/submit`, {})
  await clinic.enter(page)
  await page.goto('/app/expenses/statements')
  await expect(title(page, 'Выписки банка')).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Загрузить выписку' }).click()
  await (await choosing).setFiles({
    name: 'kl_to_1c.txt',
    mimeType: 'text/plain',
    buffer: statement(account, day.split('-').reverse().join('.'), [
      { number: `${number}1`, sum: '777.50', inn: '7707083893', name: `Поставщик ${mark}` },
      { number: `${number}2`, sum: '300.00', inn: '7728168971', name: `Уборка ${mark}` },
      { number: `${number}3`, sum: 'много', inn: '7728168971', name: `Ошибка ${mark}` },
    ]),
  })
  await expect(toast(page, 'Новых операций: 2, оплатили расходы: 1')).toBeVisible()
  await expect(page.getByText(`документ ${number}3: не читается сумма «много»`)).toBeVisible()

  const operation = page.getByRole('listitem').filter({ hasText: `Уборка ${mark}` })
  await operation.getByRole('button', { name: 'Это расход' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Провести' }).click()
  await expect(dialog.getByText('Выберите статью нового расхода')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Статья' }).fill(`Материалы ${mark}`)
  await page.getByRole('option', { name: `Материалы ${mark}` }).click()
  await dialog.getByRole('button', { name: 'Провести' }).click()
  await expect(operation).toHaveCount(0)

  const paid = await clinic.call('GET', `/expenses?filter[idArticle]=${article.id}&sort=sum`)
  expect(paid.items.map(({ sum, status }: { sum: number; status: string }) => [sum, status])).toEqual([
    [300, 'paid'],
    [777.5, 'paid'],
  ])
})
