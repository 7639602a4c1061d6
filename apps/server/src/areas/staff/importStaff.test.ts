/** Import of employees from a table, with generated logins and first passwords on slips. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { csv, importFiles } from '#testing/importFiles.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let keeper: Caller
let files: ReturnType<typeof importFiles>

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['editUsers', 'mainSettings'])
      await addPerson(app, 'reader', ['viewServices'])
    },
  })
  keeper = clinic.as('keeper')
  files = importFiles(clinic, 'users')
  good(await keeper.post('/filials', { nameFilial: 'На Садовой' }), 201)
})
afterAll(() => clinic.close())

const people = () =>
  clinic.db.query<{
    login: string
    surname: string
    post: string | null
    speciality: string | null
    roles: number
  }>(sql`
    select u."login", u."surname", u."post", s."name" as speciality,
      (select count(*)::int from user_roles r where r."idUser" = u."id") as roles
    from users u left join specialities s on s."id" = u."idSpeciality"
    where u."login" not in ('admin', 'keeper', 'reader') and not u."deleted" order by u."id"`)

it('are created with a unique login from the name, and each invalid row has an error', async () => {
  const table = csv(
    'ФИО\tРоль\tДолжность\tСпециальность\tФилиал\tТелефон',
    'Иванова Анна Петровна\tВрач\tВрач-терапевт\tТерапевт\tНа Садовой\t+7 900 000-00-01',
    'Иванова Алла\tВрач\tВрач-терапевт\tТерапевт\t\t',
    'Петров Игорь\tГлавный\t\t\t\t',
    'Сидоров Олег\t\t\t\tНа Луне\t',
    'Орлова Инна\t\t\t\t\t12',
  )
  const run = await files.take(keeper, table, {}, { skipWrong: true })
  expect(run).toMatchObject({ state: 'done', created: 3, failed: 2 })
  expect(await people()).toEqual([
    { login: 'ivanova.a', surname: 'Иванова', post: 'Врач-терапевт', speciality: 'Терапевт', roles: 1 },
    { login: 'ivanova.a2', surname: 'Иванова', post: 'Врач-терапевт', speciality: 'Терапевт', roles: 1 },
    { login: 'orlova.i', surname: 'Орлова', post: null, speciality: null, roles: 0 },
  ])
  const wrong = good(await keeper.get(`/imports/${run.id}/errors`))
  expect(JSON.stringify(wrong)).toMatch(/такой роли нет.*такого филиала нет/s)
})

it('are found by name when they are here already, and a desk role comes with the desk of the only branch', async () => {
  const table = csv('ФИО\tРоль\tТелефон', 'Столова Ада\tАдминистратор\t', 'Иванова Алла\tВрач\t+7 900 000-00-09')
  const preview = good(await files.preview(keeper, table))
  expect(preview.errors.map(({ message }) => message)).toEqual([
    '«Администратор» → «Регистратор»? Если роль другая, впишите её название',
    'Уже есть «Иванова Алла»: карточка дополнится, роли и вход останутся',
  ])
  const run = await files.take(keeper, table)
  expect(run).toMatchObject({ state: 'done', created: 2 })
  expect((await people()).filter(({ surname }) => surname === 'Иванова')).toHaveLength(2)
  const desks = await clinic.db.query(sql`select u."surname" from filials_desks d join users u on u."id" = d."idUser"`)
  expect(desks).toEqual([{ surname: 'Столова' }])
  await files.revert(keeper, run)
})

it('get passwords on slips that must be changed at sign-in; passwords in use are kept', async () => {
  const ids = await clinic.db.query<{ id: number; login: string }>(
    sql`select "id"::int as id, "login" from users where not "deleted" order by "id"`,
  )
  const refused = await clinic.as('reader').post('/users/slips', { ids: [ids[0]?.id] })
  expect(refused.status).toBe(403)
  await clinic.as('reader').token()
  await clinic.db.query(sql`update users set "lastActive" = now() where "login" = 'reader'`)
  const asked = ids.filter(({ login }) => login !== 'keeper' && login !== 'admin').map(({ id }) => id)
  const { slips, passed } = good(await keeper.post('/users/slips', { ids: asked }))
  expect(passed).toEqual(['reader Тест'])
  expect(slips.map(({ login }: { login: string }) => login)).toEqual(['ivanova.a', 'ivanova.a2', 'orlova.i'])
  const entered = clinic.as('ivanova.a', slips[0].password)
  expect((await entered.get('/filials')).body).toMatchObject({ code: 'password' })
  expect((await keeper.post('/users/slips', { ids: [asked[0], asked[0]] })).status).toBe(422)
})

it('reads a double surname, and a phone with more than its number', async () => {
  const table = csv('ФИО\tТелефон', 'Салтыков - Щедрин Иван Петрович\t8 (495) 111-22-33 доб. 5', 'Де ла Крус, Мария\t')
  const preview = good(await files.preview(keeper, table))
  expect(preview.rows.map(({ values }) => values)).toMatchObject([
    { ФИО: 'Салтыков-Щедрин Иван Петрович', Телефон: '+7 (495) 111-22-33' },
    { ФИО: 'Де ла Крус Мария' },
  ])
  expect(preview.errors).toMatchObject([
    { row: 1, field: 'Телефон', message: '«доб. 5» в карточку не входит', note: true },
  ])
})
