import { expect, it } from 'vitest'
import { proposedLogin } from './login.ts'

it.each([
  ['Иванова', 'Анна', 'ivanova.a'],
  ['Щербаков', 'Юрий', 'scherbakov.y'],
  ['Римский-Корсаков', '', 'rimskii-korsakov'],
  ['Подъячев', 'Игорь', 'podyachev.i'],
  ['O’Neill', 'Sean', 'oneill.s'],
  ['', 'Анна', ''],
])('«%s %s» is proposed as «%s»', (surname, name, login) => expect(proposedLogin(surname, name)).toBe(login))
