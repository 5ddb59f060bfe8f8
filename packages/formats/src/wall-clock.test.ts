import { describe, expect, test } from 'vitest'
import { toUtcMs } from './wall-clock.ts'

describe('wall clock to UTC', () => {
  const at = (text: string): number => Date.parse(`${text}Z`)
  const utc = (zone: string, ...stamps: string[]): string[] =>
    [...toUtcMs(Float64Array.from(stamps, at), zone)].map((ms) => new Date(ms).toISOString().slice(0, 16))

  test('UTC stays, Paris is one hour off in winter and two in summer', () => {
    expect(utc('UTC', '2024-07-01T12:00')).toEqual(['2024-07-01T12:00'])
    expect(utc('Europe/Paris', '2024-01-01T00:30', '2024-07-01T00:30')).toEqual([
      '2023-12-31T23:30',
      '2024-06-30T22:30',
    ])
  })

  test('the hour shown twice in autumn runs on when the records do', () => {
    expect(
      utc(
        'Europe/Paris',
        '2024-10-27T01:30',
        '2024-10-27T02:00',
        '2024-10-27T02:30',
        '2024-10-27T02:00',
        '2024-10-27T02:30',
        '2024-10-27T03:00',
      ),
    ).toEqual([
      '2024-10-26T23:30',
      '2024-10-27T00:00',
      '2024-10-27T00:30',
      '2024-10-27T01:00',
      '2024-10-27T01:30',
      '2024-10-27T02:00',
    ])
  })

  test('a time that the clock skips in spring still gets an instant', () => {
    expect(utc('Europe/Paris', '2024-03-31T01:59', '2024-03-31T02:30', '2024-03-31T03:00')).toEqual([
      '2024-03-31T00:59',
      '2024-03-31T01:30',
      '2024-03-31T01:00',
    ])
  })

  test('records at one hour, twice: the second is the hour after', () => {
    expect(utc('Europe/Paris', '2024-10-27T02:00', '2024-10-27T02:00', '2024-10-27T02:00')).toEqual([
      '2024-10-27T00:00',
      '2024-10-27T01:00',
      '2024-10-27T01:00',
    ])
  })

  test('records far from each other on either side of a change of the clock', () => {
    expect(utc('Europe/Paris', '2024-03-29T12:00', '2024-03-31T04:00')).toEqual([
      '2024-03-29T11:00',
      '2024-03-31T02:00',
    ])
    expect(utc('Europe/Paris', '2024-04-01T12:00', '2024-03-30T23:00')).toEqual([
      '2024-04-01T10:00',
      '2024-03-30T22:00',
    ])
  })

  test('every zone has its own clock', () => {
    expect(utc('Indian/Reunion', '2024-07-01T12:00')).toEqual(['2024-07-01T08:00'])
    expect(utc('America/Martinique', '2024-07-01T12:00')).toEqual(['2024-07-01T16:00'])
    expect(() => utc('Europe/Champs', '2024-07-01T12:00')).toThrow(RangeError)
  })
})
