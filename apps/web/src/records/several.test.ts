import { expect, test } from 'vitest'
import { ApiError } from '#base/apiError.ts'
import { leftOf, partly, several } from './several.ts'

const refusal = (status: number, message: string) => new ApiError({ status, message })

/** Refuses the given ids, like a call that does all or nothing. */
function calls(refused: Readonly<Record<number, ApiError>>) {
  const asked: number[][] = []
  const act = async (some: number[]) => {
    asked.push(some)
    const wrong = some.find((one) => refused[one])
    if (wrong !== undefined) throw refused[wrong]
    return some.length
  }
  return { asked, act }
}

test('what nothing refuses is done in one request', async () => {
  const { asked, act } = calls({})
  expect(await several([1, 2, 3], act)).toMatchObject({ done: [1, 2, 3], answers: [3] })
  expect(asked).toEqual([[1, 2, 3]])
})

test('one that is refused leaves the others done: how many of how many, and each reason once', async () => {
  const used = refusal(409, 'Запись используется в других записях')
  const { act } = calls({ 2: used, 4: used, 5: refusal(403, 'Чужая запись') })
  const result = await several([1, 2, 3, 4, 5], act)
  expect(result.done).toEqual([1, 3])
  expect(leftOf(result.refused)).toEqual([2, 4, 5])
  expect(partly(result, 'Удалено', 'Ничего не удалено')).toEqual({
    title: 'Удалено 2 из 5',
    why: 'Запись используется в других записях (2)\nЧужая запись (1)',
  })
})

test('for a single record the reason is shown, and that nothing was done', async () => {
  const { asked, act } = calls({ 7: refusal(409, 'На проверке') })
  const result = await several([7], act)
  expect(partly(result, 'Удалено', 'Регламент не удалён')).toEqual({ title: 'Регламент не удалён', why: 'На проверке' })
  expect(asked).toHaveLength(1)
})

test('what is no record’s fault is thrown, unless something is done already', async () => {
  const lost = refusal(0, 'Проверьте подключение к Интернету')
  await expect(several([1, 2], calls({ 1: lost }).act)).rejects.toBe(lost)
  const half = calls({ 1: refusal(409, 'Занята'), 3: lost })
  const result = await several([1, 2, 3], half.act)
  expect([result.done, leftOf(result.refused)]).toEqual([[2], [1, 3]])
})
