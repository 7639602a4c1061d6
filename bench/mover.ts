/** An administrator who moves a clinic in over HTTP: sends a table, has it rehearsed, and takes it in. */
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 250

export interface Taken {
  rows: number
  wrong: number
  /** Milliseconds of the rehearsal. */
  rehearsal: number
}

export interface Mover {
  call(path: string, init?: RequestInit, tries?: number): Promise<any>
  take(move: number, table: string, name: string, bytes: string | Buffer): Promise<Taken>
}

/** @param renew signs in again: a session ends within a long move */
export function moverOf(url: string, first: string, renew?: () => Promise<string>): Mover {
  let token = first
  const call: Mover['call'] = async (path, init = {}, tries = 2) => {
    const response = await fetch(url + path, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof init.body === 'string' ? { 'content-type': 'application/json' } : {}),
      },
    })
    const text = await response.text()
    if (response.status === 401 && renew && tries > 1) {
      token = await renew()
      return call(path, init, tries - 1)
    }
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  /** The file once its step is over. */
  const wait = async (id: number, state: string) => {
    for (;;) {
      const file = await call(`/moving/files/${id}`)
      if (file.state === state) return file
      if (file.state === 'failed' || file.message) throw new Error(`${file.fileName}: ${file.state} ${file.message}`)
      await sleep(POLL_MS)
    }
  }
  return {
    call,
    async take(move, table, name, bytes) {
      const form = new FormData()
      form.append('table', table)
      form.append('file', new File([bytes as BlobPart], name))
      const { id } = await call(`/moving/${move}/files`, { method: 'POST', body: form })
      await wait(id, 'ready')
      const began = performance.now()
      await call(`/moving/files/${id}/rehearse`, { method: 'POST' })
      await wait(id, 'checked')
      const rehearsal = performance.now() - began
      await call(`/moving/files/${id}/run`, { method: 'POST' })
      const { total, wrong } = await wait(id, 'done')
      return { rows: total, wrong, rehearsal }
    },
  }
}

export const day = (date: number, month: number, year: number): string => `${1 + date}.${1 + month}.${year}`

/** A table of patients, from the number `from` on. @param below a random whole number below another */
export const patientsTable = (from: number, to: number, below: (n: number) => number): string =>
  [
    'ID клиента;Фамилия;Имя;Отчество;Дата рождения;Телефон',
    ...numbers(from, to).map(
      (i) =>
        `${i};Переездов${i};${['Анна', 'Иван', 'Олег', 'Ольга', 'Пётр'][below(5)]};Петрович;${day(below(28), below(12), 1930 + below(90))};+79${String(100_000_000 + i).slice(-9)}`,
    ),
  ].join('\n')

/** A table of past visits of the patients with numbers up to `patients`. */
export const visitsTable = (from: number, to: number, patients: number, below: (n: number) => number): string =>
  [
    'ID визита;Код пациента;Дата;Врач;Услуга;Сумма',
    ...numbers(from, to).map(
      (i) =>
        `в${i};${i % patients};${day(below(28), below(12), 2020 + below(5))};Врач ${below(30)};Услуга ${below(300)};${below(5_000)}`,
    ),
  ].join('\n')

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
