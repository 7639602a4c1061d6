import type { Locator, Page } from 'playwright/test'
import { type Clinic, expect, fits, type Person, phone, signIn, test } from './support.ts'

const T = '/tasks-management'
const MB = 1024 * 1024

interface Place {
  board: any
  task: any
  /** Address of the card. */
  address: string
  /** The same call as another person. */
  as: (token: string, method: string, path: string, body?: unknown) => Promise<any>
}

/** A task on the user's own workspace, with its card open. */
async function opened(page: Page, clinic: Clinic, owner: Person): Promise<Place> {
  const token = await signIn(page, owner)
  const as: Place['as'] = (by, method, path, body) => clinic.as(by)(method, T + path, body)
  const board = await as(token, 'POST', '/boards', { name: `Вложения ${owner.login}` })
  const task = await as(token, 'POST', '/tasks', { name: 'Собрать документы', idColumn: board.idColumnNew })
  const { items } = await as(token, 'GET', `/assigned?filter[idTask]=${task.id}`)
  const address = `/app/tasks?board=${board.id}&assignedColumn=${items[0].id}`
  await page.goto(address)
  await expect(attachments(page)).toBeVisible()
  return { board, task, address, as }
}

const attachments = (page: Page): Locator => page.getByRole('region', { name: /^Вложения/ })
const tile = (page: Page, name: string): Locator => attachments(page).getByRole('listitem').filter({ hasText: name })

interface Sent {
  name: string
  mimeType?: string
  buffer: Buffer
}

async function choose(page: Page, files: Sent[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await attachments(page).getByRole('button', { name: 'Прикрепить' }).click()
  await (await choosing).setFiles(files.map((file) => ({ mimeType: 'application/octet-stream', ...file })))
}

/** Drops the files onto the page, or pastes them, with real browser events. */
async function hand(page: Page, way: 'drop' | 'paste', files: Sent[]): Promise<void> {
  const sent = files.map(({ name, mimeType = '', buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, mimeType, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    return transfer
  }, sent)
  if (way === 'drop') {
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: data })
    await expect(page.getByText('Отпустите, чтобы прикрепить к задаче')).toBeVisible()
    await page.dispatchEvent('body', 'drop', { dataTransfer: data })
    await expect(page.getByText('Отпустите, чтобы прикрепить к задаче')).toBeHidden()
  } else
    await page.evaluate((clipboardData) => {
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    }, data)
}

const text = (words: string) => Buffer.from(words)
const loaded = (picture: Locator) =>
  expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBeGreaterThan(0)

test('files are sent with progress, shown and saved', async ({ page, clinic }) => {
  const owner = await clinic.person({ roles: ['Кладовщик'] })
  const { task } = await opened(page, clinic, owner)
  await expect(attachments(page)).toContainText('Перетащите файлы на карточку')
  const shot = await page.screenshot()

  const network = await page.context().newCDPSession(page)
  const speed = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await speed(4 * MB)
  const protocol = Buffer.alloc(8 * MB, 'Протокол совещания. ')
  await choose(page, [
    { name: 'Протокол.txt', buffer: protocol },
    { name: 'Снимок экрана.png', buffer: shot },
  ])
  const progress = attachments(page).getByRole('progressbar', { name: 'Загрузка «Протокол.txt»' })
  const share = async () => Number(await progress.getAttribute('aria-valuenow'))
  await expect.poll(share).toBeGreaterThan(0)
  expect(await share()).toBeLessThan(100)
  await expect(tile(page, 'Протокол.txt')).toContainText(/из 8\sМБ/)

  const look = attachments(page).getByRole('button', { name: 'Посмотреть «Снимок экрана.png»' })
  await expect(look).toBeVisible()
  await loaded(tile(page, 'Снимок экрана.png').locator('img'))
  const saving = page.waitForEvent('download')
  await attachments(page).getByRole('link', { name: 'Скачать «Протокол.txt»' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('Протокол.txt')
  await expect(tile(page, 'Протокол.txt')).toContainText('8\u00a0МБ')
  await expect(progress).toBeHidden()
  await expect(attachments(page).getByRole('heading')).toHaveText('Вложения 2')

  // A cancelled upload leaves nothing.
  await choose(page, [{ name: 'Не то.txt', buffer: protocol }])
  await attachments(page).getByRole('button', { name: 'Отменить загрузку «Не то.txt»' }).click()
  await expect(tile(page, 'Не то.txt')).toHaveCount(0)
  await speed(-1)
  await page.reload()
  await expect(attachments(page).getByRole('heading')).toHaveText('Вложения 2')
  expect(task.filesCount).toBe(0)
  await phone(page)
  await fits(page)
})

test('files are dropped and pasted, and the kind is recognised by content', async ({ page, clinic }) => {
  await opened(page, clinic, await clinic.person({ roles: ['Кладовщик'] }))
  await hand(page, 'drop', [
    { name: 'кот.png', mimeType: 'image/png', buffer: text('<html><script>alert(1)</script>') },
    { name: 'пустой.txt', buffer: text('') },
  ])
  await expect(page.getByText('«пустой.txt»: файл пуст')).toBeVisible()
  // An HTML page named as an image is neither previewed nor opened inline.
  await expect(tile(page, 'кот.png')).toContainText('Веб-страница')
  await expect(attachments(page).getByRole('link', { name: 'Сохранить «кот.png»' })).toBeVisible()

  await hand(page, 'paste', [{ name: 'image.png', mimeType: 'image/png', buffer: await page.screenshot() }])
  await expect(
    attachments(page).getByRole('button', { name: /^Посмотреть «Снимок \d\d\.\d\d\.\d{4} \d\d-\d\d\.png»$/ }),
  ).toBeVisible()
})

test('a refused file shows the reason and is sent again', async ({ page, clinic, complaints }) => {
  complaints.allow(/status of (422|500)/)
  await opened(page, clinic, await clinic.person({ roles: ['Кладовщик'] }))
  const shot = await page.screenshot()
  await choose(page, [{ name: 'битая.png', buffer: shot.subarray(0, shot.length / 2) }])
  await expect(tile(page, 'битая.png').getByRole('alert')).toHaveText('Картинка повреждена: её не удалось прочитать')
  await attachments(page).getByRole('button', { name: 'Убрать «битая.png»' }).click()
  await expect(tile(page, 'битая.png')).toHaveCount(0)

  await page.route(`**${T}/task-files`, (route) => route.fulfill({ status: 500, json: {} }), { times: 1 })
  let uploads = 0
  page.on(
    'request',
    (request) => void (request.method() === 'POST' && request.url().endsWith(`${T}/files`) && uploads++),
  )
  await choose(page, [{ name: 'справка.txt', buffer: text('Справка') }])
  await expect(tile(page, 'справка.txt').getByRole('alert')).toHaveText('Ошибка на сервере, попробуйте ещё раз')
  await attachments(page).getByRole('button', { name: 'Повторить загрузку «справка.txt»' }).click()
  await expect(attachments(page).getByRole('link', { name: 'Скачать «справка.txt»' })).toBeVisible()
  // The first upload was stored: only the attaching is repeated.
  expect(uploads).toBe(1)
})

test('pictures are looked at by keys; a cover is made, lost with its attachment and brought back', async ({
  page,
  clinic,
}) => {
  await opened(page, clinic, await clinic.person({ roles: ['Кладовщик'] }))
  const shot = await page.screenshot()
  await choose(page, [{ name: 'первый.png', buffer: shot }])
  await expect(attachments(page).getByRole('button', { name: 'Посмотреть «первый.png»' })).toBeVisible()
  await choose(page, [{ name: 'второй.png', buffer: shot }])
  const look = attachments(page).getByRole('button', { name: 'Посмотреть «второй.png»' })
  await look.click()
  const box = page.getByRole('dialog', { name: /^Просмотр/ })
  await loaded(box.getByRole('img', { name: 'второй.png' }))
  await page.keyboard.press('ArrowRight')
  await loaded(box.getByRole('img', { name: 'первый.png' }))
  await expect(box).toContainText('2 из 2')
  await page.keyboard.press('ArrowLeft')
  await expect(box.getByRole('img', { name: 'второй.png' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(box).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Задача «Собрать документы»' })).toBeVisible()
  await expect(look).toBeFocused()

  const act = async (name: string) => {
    await attachments(page).getByRole('button', { name: 'Действия с файлом «второй.png»' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Сделать обложкой')
  await expect(tile(page, 'второй.png')).toContainText('Обложка')
  await act('Удалить')
  await expect(look).toBeHidden()
  await expect(attachments(page).getByRole('button', { name: 'Действия с файлом «первый.png»' })).toBeFocused()
  await expect(page.getByRole('alert').getByRole('button', { name: 'Отменить' })).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(tile(page, 'второй.png')).toContainText('Обложка')
  await page.getByRole('tab', { name: 'История' }).click()
  await expect(page.getByText('второй.png').first()).toBeVisible()
})

test('users who see the task see its files at once, others do not', async ({ page, visitor, clinic }) => {
  const [owner, reader, stranger] = await Promise.all([
    clinic.person({ roles: ['Кладовщик'] }),
    clinic.person({ roles: ['Кладовщик'] }),
    clinic.person({ roles: ['Кладовщик'] }),
  ])
  const { board, task, address, as } = await opened(page, clinic, owner)
  const token = (await page.evaluate(() => localStorage.getItem('ordinator:token'))) ?? ''
  const rights = { permissionToViewTasks: 'all', permissionToEditTasks: 'none' }
  await as(token, 'POST', '/members', { idBoard: board.id, idUser: reader?.id, ...rights })
  const other = await visitor()
  await signIn(other, reader as Person)
  await other.goto(address)
  await expect(attachments(other)).toContainText('Файлов нет')
  await expect(attachments(other).getByRole('button', { name: 'Прикрепить' })).toHaveCount(0)

  await choose(page, [{ name: 'снимок.png', buffer: await page.screenshot() }])
  await expect(attachments(page).getByRole('button', { name: 'Посмотреть «снимок.png»' })).toBeVisible()
  const button = attachments(other).getByRole('button', { name: 'Посмотреть «снимок.png»' })
  await expect(button).toBeVisible()
  await loaded(tile(other, 'снимок.png').locator('img'))
  await expect(attachments(other).getByRole('button', { name: /Действия с файлом/ })).toHaveCount(0)

  const { items } = await as(token, 'GET', `/task-files?filter[idTask]=${task.id}&expand=file`)
  const { url } = items[0].file
  const outside = await visitor()
  await signIn(outside, stranger as Person)
  for (const way of ['', '/small', '?download=1']) {
    expect((await other.request.get(url + way)).status()).toBe(200)
    expect((await outside.request.get(url + way)).status()).toBe(404)
  }
  const anonymous = await visitor()
  expect((await anonymous.request.get(url)).status()).toBe(401)
})
