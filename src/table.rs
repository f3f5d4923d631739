//! An enum as a table: a variant is a row, and a column is a method.

/// Declares an enum with its columns. Each variant is followed by its cells, in the order of the columns; `ALL` has the
/// variants in the order of the rows.
///
/// ```text
/// table! {
///     pub enum Size(name: &'static str, sides: u32) {
///         Small: "small", 3;
///         Large: "large", 8;
///     }
/// }
/// Size::Small.name()  Size::Large.sides()  Size::ALL
/// ```
macro_rules! table {
    (
        $(#[$about:meta])*
        $visible:vis enum $Table:ident($($(#[$column_about:meta])* $column:ident: $type:ty),*) {
            $($(#[$row_about:meta])* $Row:ident $(: $($cell:expr),+)?;)+
        }
    ) => {
        $(#[$about])*
        $visible enum $Table {
            $($(#[$row_about])* $Row),+
        }

        const _: () = {
            struct TableCells {
                $($column: $type),*
            }

            const fn row($($column: $type),*) -> TableCells {
                TableCells { $($column),* }
            }

            impl $Table {
                /// Every row, in order.
                #[allow(dead_code, reason = "not every table is walked")]
                $visible const ALL: [$Table; [$(stringify!($Row)),+].len()] = [$($Table::$Row),+];

                const fn row(self) -> TableCells {
                    match self {
                        $($Table::$Row => row($($($cell),+)?)),+
                    }
                }

                $($(#[$column_about])*
                $visible const fn $column(self) -> $type {
                    self.row().$column
                })*
            }
        };
    };
}
pub(crate) use table;
