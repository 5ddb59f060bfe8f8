import type { StoringMeasure } from '@radx/contracts/measures'
import type { LuseConfig, LuseUpdate } from '@radx/contracts/simulation'
import type { FormState } from './state.ts'

/** Another file: its table, nothing painted, nothing added. */
export function chooseFile(state: FormState, fileId: string): FormState {
  if (state.luseIdArr[0] === fileId) return state
  return {
    ...state,
    luseIdArr: [fileId],
    luseIdSource: fileId,
    luseConfigs: [],
    ownConfigs: [],
    market: [],
    marketItems: [],
    luseUpdates: [],
    unsaved: null,
    luseDesc: '',
    stage: 'off',
  }
}

/** Forgets a file that is gone. */
export function leaveFile(state: FormState, fileId: string): FormState {
  return state.luseIdArr[0] === fileId ? { ...chooseFile(state, ''), luseIdArr: [] } : state
}

/** The table of the chosen file once it has come: selected codes are its own, the others the market. */
export function setCodes(state: FormState, codes: readonly LuseConfig[]): FormState {
  const own = codes.filter(({ isSelected }) => isSelected)
  const market = codes.filter(({ isSelected }) => !isSelected)
  return {
    ...state,
    ownConfigs: own,
    luseConfigs: own,
    market,
    marketItems: market.map(({ id }) => ({ id, isSelected: false })),
  }
}

/** Edit mode on, or off again; off leaves the file as it is. */
export function setEditing(state: FormState, on: boolean): FormState {
  if (on) return state.stage === 'off' ? { ...state, stage: 'codes' } : state
  return {
    ...state,
    stage: 'off',
    luseConfigs: state.ownConfigs,
    marketItems: state.marketItems.map(({ id }) => ({ id, isSelected: false })),
    luseUpdates: [],
    unsaved: null,
    luseDesc: '',
  }
}

const nextCode = (configs: readonly LuseConfig[]) => Math.max(0, ...configs.map(({ code }) => code)) + 1

/**
 * Adds a code of the market with the next free number, or takes it out again: the codes added after it move
 * up by one, their painted cells with them, and its own painted cells get their code of before back. The
 * file's own codes keep their numbers.
 */
export function toggleItem(state: FormState, id: string): FormState {
  const item = state.market.find((config) => config.id === id)
  if (item === undefined) return state
  const present = state.luseConfigs.find((config) => config.id === id)
  const marketItems = state.marketItems.map((entry) =>
    entry.id === id ? { id, isSelected: present === undefined } : entry,
  )
  if (present === undefined)
    return {
      ...state,
      marketItems,
      luseConfigs: [...state.luseConfigs, { ...item, code: nextCode(state.luseConfigs), isSelected: true }],
    }
  const own = new Set(state.ownConfigs.map((config) => config.id))
  const moved = (code: number, isOwn: boolean) => (!isOwn && code > present.code ? code - 1 : code)
  const ownCodes = new Set(state.ownConfigs.map(({ code }) => code))
  const renumbered = (cells: readonly LuseUpdate[]) =>
    cells
      .filter(({ value }) => value !== present.code)
      .map((update) => ({ ...update, value: moved(update.value, ownCodes.has(update.value)) }))
  return {
    ...state,
    marketItems,
    luseConfigs: state.luseConfigs
      .filter((config) => config.id !== id)
      .map((config) => ({ ...config, code: moved(config.code, own.has(config.id)) })),
    luseUpdates: renumbered(state.luseUpdates),
    unsaved: state.unsaved === null ? null : renumbered(state.unsaved),
  }
}

export type LuseProperty = 'kh' | 'capsh' | 'soilmd' | 'nmanningov' | 'interceptionclass'

/** A manager's value of a property; only while the codes are being chosen. */
export const setProperty = (
  state: FormState,
  id: string,
  property: LuseProperty,
  value: number,
): FormState =>
  state.stage === 'codes'
    ? {
        ...state,
        luseConfigs: state.luseConfigs.map((config) =>
          config.id === id ? { ...config, [property]: value } : config,
        ),
      }
    : state

/** Other figures of a measure; only while the codes are being chosen. */
export const setMeasure = (state: FormState, id: string, measure: StoringMeasure): FormState =>
  state.stage === 'codes'
    ? {
        ...state,
        luseConfigs: state.luseConfigs.map((config) => (config.id === id ? { ...config, measure } : config)),
      }
    : state

export const confirmCodes = (state: FormState): FormState =>
  state.stage === 'codes' ? { ...state, stage: 'grid' } : state

export const backToCodes = (state: FormState): FormState =>
  state.stage === 'grid' || state.stage === 'saved' ? { ...state, stage: 'codes' } : state

/** Cells painted but not saved yet: the matrix has to be saved anew. */
export const touchMatrix = (state: FormState): FormState =>
  state.stage === 'saved' ? { ...state, stage: 'grid' } : state

/** Cells as they are painted now, kept until the matrix is saved; outside edit mode nothing is. */
export const keepPainting = (state: FormState, unsaved: LuseUpdate[]): FormState =>
  state.stage === 'off' || state.stage === 'saved' ? state : { ...state, unsaved }

export const saveMatrix = (state: FormState, luseUpdates: LuseUpdate[]): FormState =>
  state.stage === 'grid' || state.stage === 'saved'
    ? { ...state, luseUpdates, unsaved: null, stage: 'saved' }
    : state
